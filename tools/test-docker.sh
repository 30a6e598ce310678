#!/usr/bin/env bash
# test-docker.sh start|stop FOLDER: the tests' own docker daemon, with everything it has below FOLDER: its socket
# (FOLDER/docker.sock), one over TLS (FOLDER/tls-port, certificates in FOLDER/certs), its data, its two images. What
# it is started with touches no other daemon of the machine and no firewall.
# Where a daemon cannot run, start succeeds all the same, and FOLDER/unavailable says why: the tests report it.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# == 2 ]] || die 'usage: test-docker.sh start|stop FOLDER'
mkdir -p "$2"
folder=$(cd "$2" && pwd)

engine() { curl --silent --show-error --fail --max-time 120 --unix-socket "$folder/docker.sock" "$@"; }

# is_ours PIDFILE NAME: whether the process that PIDFILE names is still what we started.
is_ours() {
  local pid
  pid=$(cat "$1" 2>/dev/null) && [[ -n $pid ]] && [[ $(cat "/proc/$pid/comm" 2>/dev/null) == "$2" ]] &&
    tr '\0' ' ' <"/proc/$pid/cmdline" | grep -Fq -- "$folder"
}

# end PIDFILE NAME SECONDS
end() {
  local pid i
  is_ours "$1" "$2" || return 0
  pid=$(cat "$1")
  kill "$pid" || return 0
  for ((i = 0; i < $3 * 10; i++)); do
    is_ours "$1" "$2" || return 0
    sleep 0.1
  done
  kill -9 "$pid" || true
}

stop() {
  end "$folder/dockerd.pid" dockerd 20
  # Its child; outlives it only where it was killed.
  end "$folder/exec/containerd/containerd.pid" containerd 5
  rm -f "$folder/dockerd.pid" "$folder/docker.sock" "$folder/unavailable" "$folder/tls-port"
}

unavailable() {
  stop
  echo "$1" >"$folder/unavailable"
  echo "no docker daemon: $1"
  exit 0
}

make_certificates() {
  local certs=$folder/certs
  [[ -f $certs/key.pem ]] && openssl x509 -checkend 86400 -noout -in "$certs/cert.pem" >/dev/null && return
  rm -rf "$certs"
  mkdir -p "$certs"
  (
    cd "$certs"
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=prx test authority' \
      -keyout ca-key.pem -out ca.pem
    sign() { # NAME SUBJECT EXTENSIONS
      openssl req -newkey rsa:2048 -nodes -subj "$2" -keyout "$1key.pem" -out "$1.csr"
      openssl x509 -req -days 30 -in "$1.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial \
        -extfile <(echo "$3") -out "$1cert.pem"
    }
    sign server- '/CN=localhost' 'subjectAltName=DNS:localhost'
    sign '' '/CN=prx test client' 'extendedKeyUsage=clientAuth'
  ) &>"$folder/certificates.log"
}

# start_daemon TLS_PORT
start_daemon() {
  local own
  own=$(cksum <<<"$folder" | cut -d' ' -f1)
  local arguments=(
    --config-file "$folder/daemon.json" --host "unix://$folder/docker.sock" --pidfile "$folder/dockerd.pid"
    --data-root "$folder/data" --exec-root "$folder/exec"
    # A containerd that runs already is used; what is in it for others stays apart.
    --containerd-namespace "prx-tests-$own" --containerd-plugins-namespace "prx-tests-plugins-$own"
    --bridge none --iptables=false --ip6tables=false
    --host "tcp://127.0.0.1:$1" --tlsverify --tlscacert "$folder/certs/ca.pem"
    --tlscert "$folder/certs/server-cert.pem" --tlskey "$folder/certs/server-key.pem"
  )
  echo '{}' >"$folder/daemon.json"
  # A mount namespace of its own: the mounts of containers are not the machine's. No descriptor or environment of
  # ours, which the tests would find in it; a session of its own, since ctest waits for its children's.
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$folder" setsid unshare --mount --propagation private \
    dockerd "${arguments[@]}" </dev/null &>"$folder/dockerd.log" &
  disown
}

wait_until_ready() {
  local i
  for ((i = 0; i < 300; i++)); do
    engine http://docker/_ping &>/dev/null && return 0
    sleep 0.1
  done
  return 1
}

has_image() { engine -o /dev/null "http://docker/images/$1/json" 2>/dev/null; }

# import REPOSITORY TAG: an image of the tar archive on stdin.
import() {
  engine -o /dev/null -X POST -H 'Content-Type: application/x-tar' --data-binary @- \
    "http://docker/images/create?fromSrc=-&repo=$1&tag=$2"
}

make_busybox() {
  local tree=$folder/busybox
  rm -rf "$tree"
  mkdir -p "$tree/bin" "$tree/tmp"
  cp /bin/busybox "$tree/bin/"
  (
    cd "$tree/bin"
    for applet in $(./busybox --list); do
      [[ -e $applet ]] || ln -s busybox "$applet"
    done
  )
  tar -C "$tree" -c . | import busybox prx
}

# The mirror that this machine itself is set up with.
make_debian() {
  local tree=$folder/bookworm mirror
  mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME)' | awk '$2 == "bookworm" { print $1; exit }')
  [[ -n $mirror ]] || return 1
  rm -rf "$tree"
  debootstrap --variant=minbase bookworm "$tree" "$mirror" &>"$folder/debootstrap.log" || return 1
  tar -C "$tree" --exclude='./proc/*' --exclude='./sys/*' --exclude='./var/cache/apt/*' -c . |
    import debian bookworm-slim
  rm -rf "$tree"
}

start() {
  stop
  [[ $(id -u) == 0 ]] || unavailable 'starting one needs root'
  local program
  for program in dockerd curl openssl debootstrap unshare; do
    command -v "$program" >/dev/null || unavailable "$program is not installed"
  done
  make_certificates || unavailable "no certificates: $(tail -1 "$folder/certificates.log")"
  local port
  for port in $((20000 + RANDOM % 20000)) $((20000 + RANDOM % 20000)); do
    start_daemon "$port"
    if wait_until_ready; then
      echo "$port" >"$folder/tls-port"
      has_image busybox:prx || make_busybox
      has_image debian:bookworm-slim || make_debian || unavailable 'Debian could not be fetched (debootstrap)'
      return
    fi
    stop
  done
  unavailable "it did not start: $(grep -v level=info "$folder/dockerd.log" | tail -1)"
}

case $1 in
  start) start ;;
  stop) stop ;;
  *) die "start or stop, not $1" ;;
esac
