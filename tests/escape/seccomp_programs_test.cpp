// The invariant of the filter: no call that a healthy program makes is ever notified, and nothing that it
// needs is missing. Each program does its work under the filter, and without it as control.

#include <gtest/gtest.h>

#include <linux/seccomp.h>

#include <set>
#include <string>
#include <string_view>

#include "escape/filtered.hpp"
#include "sandbox/seccomp_profile.hpp"
#include "support/not_proven.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::sandbox {
namespace {

struct HealthyProgram {
  std::string_view name;
  std::string_view needs;  ///< programs
  std::string_view line;   ///< of bash, in an empty folder; exits 0
};

constexpr HealthyProgram kPrograms[] = {
    {"bash", "bash",
     "set -eo pipefail; for i in {1..60}; do echo $i | cat | tr 0-9 a-j; done | sort | uniq -c | wc -l;"
     "cat <(echo a) <(echo b); (trap 'exit 0' TERM; while :; do read -t 0.01 x || :; done) & kill $!; wait "
     "$! || :;"
     "set -m; cat /dev/null & wait; ulimit -n 64; exec 3<>file; echo x >&3; coproc cat; echo y "
     ">&\"${COPROC[1]}\""},
    {"dash", "sh",
     "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do"
     " sh -c 'for j in 1 2 3 4 5 6 7 8 9 10; do echo a | cat | cat >/dev/null || exit 1; done' || exit 1; "
     "done"},
    {"coreutils", "find",
     "set -e; mkdir -p a/b; cp /bin/ls a/x; mv a/x a/b/y; ln -s y a/b/z; ln a/b/y a/w; chmod 600 a/w; touch "
     "-d @0 a/w;"
     "id; ls -laR --color=always . >/dev/null; find . -type f -newer a/w; tar cz a | tar tz; df . "
     ">/dev/null; sync a;"
     "truncate -s 1M t; dd if=t of=u bs=64k status=none; cmp t u; sort -R /etc/passwd | head -3; nice -n 1 "
     "true;"
     "timeout 5 true; mktemp -d; mkfifo f; stat f; nproc; date; uname -a; hostname; env | sort; yes | head "
     "-1; tty || :"},
    {"ps", "ps",
     "ps aux >/dev/null && top -b -n 1 >/dev/null && free >/dev/null && pgrep -x nothing-at-all || test $? = "
     "1"},
    {"git", "git",
     "set -e; export HOME=$PWD GIT_CONFIG_NOSYSTEM=1; git init -q r; cd r; git config user.email a@b; git "
     "config user.name c;"
     "seq 1000 > f; git add f; git commit -qm x; git gc -q; git clone -q . ../c; git worktree add -q ../w; "
     "git status --short;"
     "git log --stat | cat; git -C ../c pull -q; git stash list; git grep -q 7; git diff --stat HEAD"},
    {"python", "python3",
     "cat > t.py <<'END'\n"
     "import asyncio, ctypes, hashlib, mmap, multiprocessing as mp, os, shutil, signal, socket, sqlite3, "
     "subprocess, "
     "sys, tempfile, threading, time\n"
     "def square(x): return x * x\n"
     "if __name__ == '__main__':\n"
     "    with mp.Pool(2) as pool: assert pool.map(square, range(9))[8] == 64\n"
     "    t = [threading.Thread(target=time.sleep, args=(0,)) for _ in range(8)]\n"
     "    [x.start() for x in t]; [x.join() for x in t]\n"
     "    assert subprocess.run('echo a | cat', shell=True, capture_output=True).stdout == b'a\\n'\n"
     "    async def main():\n"
     "        p = await asyncio.create_subprocess_exec('true'); await p.wait(); await asyncio.sleep(0)\n"
     "    asyncio.run(main())\n"
     "    a, b = socket.socketpair(); a.send(b'x'); b.recv(1)\n"
     "    sqlite3.connect('d').execute('create table t(x)').connection.commit()\n"
     "    signal.setitimer(signal.ITIMER_REAL, 100); os.getrandom(8); os.sched_getaffinity(0); "
     "os.cpu_count()\n"
     "    m = mmap.mmap(-1, 4096); m.madvise(mmap.MADV_DONTNEED); os.memfd_create('m'); "
     "shutil.copyfile('t.py', 'u')\n"
     "    pid = os.posix_spawn('/bin/true', ['true'], {}); os.waitpid(pid, 0)\n"
     "    import venv, pty; pty.spawn(['/bin/true'])\n"
     "END\npython3 t.py </dev/null"},
    {"node", "node",
     "cat > t.js <<'END'\n"
     "const fs = require('fs'), cp = require('child_process'), os = require('os'), {Worker} = "
     "require('worker_threads');\n"
     "fs.writeFileSync('a', 'x'); fs.promises.readFile('a'); fs.watch('.').close(); fs.cpSync('a', 'b');\n"
     "if (cp.execSync('echo a | cat').toString() !== 'a\\n') process.exit(1);\n"
     "new Worker('1', {eval: true}); require('zlib').gzip('x', () => {}); require('crypto').randomBytes(9, "
     "() => {});\n"
     "require('crypto').scrypt('a', 'b', 9, () => {}); os.cpus(); os.userInfo(); setTimeout(() => {}, 1);\n"
     "const c = cp.fork(__filename.replace('t.js', 'u.js')); c.on('message', () => c.disconnect());\n"
     "END\necho \"process.send('hi')\" > u.js; node t.js && npm --version"},
    {"gcc", "gcc g++ make",
     "set -e; printf '#include <thread>\\n#include <cstdio>\\nint main(){std::thread "
     "t([]{std::puts(\"hi\");});t.join();}\\n' > a.cpp;"
     "printf 'a: a.cpp\\n\\tg++ -std=c++17 -pipe -g -pthread -o $@ $<\\n' > Makefile; make -j2; ./a;"
     "echo 'int main(void){return 0;}' > b.c; gcc -O2 -flto -fsanitize=address -o b b.c; ./b; strip b; "
     "objdump -d b >/dev/null"},
    {"gdb", "gdb gcc",
     "set -e; echo 'int main(void){return 7;}' > a.c; gcc -g -o a a.c;"
     "DEBUGINFOD_URLS= gdb -nx -batch -ex 'break main' -ex run -ex bt -ex continue ./a </dev/null 2>&1 | "
     "grep -q 'exited with code 07'"},
    {"strace", "strace", "strace -f -o log sh -c 'true | cat' && grep -q exited log"},
    {"cargo", "cargo rustc gcc",
     "set -e; export CARGO_NET_OFFLINE=true; cargo init -q --vcs none --name t .; cargo run -q; cargo test "
     "-q >/dev/null"},
    {"go", "go",
     "set -e; export GOCACHE=$PWD/cache GOFLAGS=-mod=mod GOTELEMETRY=off GOPATH=$PWD/p; cat > m.go "
     "<<'END'\npackage main\n"
     "import (\"fmt\"; \"os/exec\"; \"sync\")\n"
     "func main() { var w sync.WaitGroup; for i := 0; i < 50; i++ { w.Add(1); go func() { defer w.Done(); "
     "exec.Command(\"true\").Run() }() }; w.Wait(); fmt.Println(\"ok\") }\nEND\ngo run m.go"},
    {"java", "java",
     "set -e; java -Xmx128m -version; printf 'class T{public static void main(String[] a)throws Exception{"
     "new ProcessBuilder(\"true\").start().waitFor();Thread t=new Thread(()->System.gc());t.start();t.join();"
     "System.out.println(java.time.LocalDate.now());}}' > T.java; if java --list-modules | grep -q "
     "jdk.compiler; then java -Xmx128m T.java; fi"},
    {"perl", "perl",
     "perl -e 'use POSIX; use IO::Socket; socketpair(my $a, my $b, 1, 1, 0) or die; fork // die; wait; print "
     "`echo hi`'"},
    {"man", "man", "man -P cat ls >/dev/null 2>&1; man -w ls >/dev/null 2>&1; true"},
    {"pip", "python3", "python3 -m pip --version 2>/dev/null || python3 -m venv --without-pip v"},
};

/// Notified where a call is refused or not known; everything else as the profile says.
std::vector<sock_filter> strict_filter(const SeccompOptions& options) {
  SeccompTable table = seccomp_table(options);
  table.unlisted = SECCOMP_RET_USER_NOTIF;
  return assemble(table);
}

bool is_there(std::string_view programs) {
  return test::run_program(
             {"bash", "-c", "for p in " + std::string(programs) + "; do command -v $p || exit 1; done"})
             .exit_code == 0;
}

/// What today's programs ask for and can do without.
const std::set<std::string_view> kAskedForAndAbsent = {"clone3", "io_uring_setup"};

class SeccompPrograms : public ::testing::TestWithParam<HealthyProgram> {
 protected:
  void expect_healthy_under(const SeccompOptions& options) {
    const test::TempDir folder;
    const auto run =
        test::run_filtered_line(strict_filter(options), std::string(GetParam().line), folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.out;
    for (const test::NotifiedCall& each : run.notified) {
      const auto name = os::syscall_name(os::kArchitecture, static_cast<std::uint32_t>(each.call.nr));
      EXPECT_TRUE(kAskedForAndAbsent.contains(name))
          << name << " " << each.call.nr << ", arguments " << each.call.args[0] << " " << each.call.args[1]
          << " " << each.call.args[2];
    }
  }
};

TEST_P(SeccompPrograms, AreNeverNotified) {
  const HealthyProgram& program = GetParam();
  if (!is_there(program.needs)) {
    return test::not_proven("escape.seccomp_program." + std::string(program.name), "it is not installed");
  }
  const test::TempDir folder;
  const auto control = test::run_filtered_line({}, std::string(program.line), folder.path());
  ASSERT_EQ(control.exit_code, 0) << "without a filter: " << control.out;
  expect_healthy_under({});
  expect_healthy_under({.inet = SeccompOptions::Inet::none,
                        .unix_sockets = SeccompOptions::Unix::pairs,
                        .own_ipc = false,
                        .own_pids = false});
}

INSTANTIATE_TEST_SUITE_P(Healthy, SeccompPrograms, ::testing::ValuesIn(kPrograms),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// The control of the test itself: a program that is not healthy is noticed.
TEST(SeccompProgramsControl, ADeniedCallIsNoticed) {
  const auto run =
      test::run_filtered_line(strict_filter({}), "unshare -U true || chroot / true || exit 3", "/");
  EXPECT_EQ(run.exit_code, 3) << run.out;
  EXPECT_EQ(run.notified.size(), 2U);
}

}  // namespace
}  // namespace prx::sandbox
