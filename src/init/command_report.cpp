#include "init/command_report.hpp"

#include "init/sys.hpp"

namespace prx::init {

ReportRead receive_report(int fd, CommandReport& report) {
  const long size = raw_syscall(__NR_recvfrom, fd, as_arg(&report), sizeof(report), MSG_DONTWAIT, 0, 0);
  if (size == -EAGAIN || size == -EINTR) return ReportRead::later;
  const bool whole = size == static_cast<long>(sizeof(report)) && report.text_size <= sizeof(report.text);
  return whole ? ReportRead::whole : ReportRead::none;
}

void note_report(const CommandReport& report, protocol::Trailer& trailer) {
  trailer.step = report.step;
  trailer.error = report.error;
  if (report.step != protocol::Step::none) trailer.cause = protocol::Cause::setup_failed;
  trailer.wait_status = (report.exit_code & 0xff) << 8;
  trailer.trap = report.trap;
  trailer.subject = {report.text, report.text_size};
  if (report.out_of_memory && trailer.cause == protocol::Cause::itself) {
    trailer.cause = protocol::Cause::out_of_memory;
  }
  trailer.user_us = report.user_us;
  trailer.system_us = report.system_us;
  trailer.max_rss_bytes = report.max_rss_bytes;
}

}  // namespace prx::init
