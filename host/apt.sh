# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# apt.sh - an apt of our own in BUILD/apt, for deps.sh and fetch-kernel.sh
#
# Lists, cache and sources below one folder, which any user can fill and
# anyone can remove; the system's own are only read.  The mirrors, and whom
# they are signed by, are those that the user's sources name.
#
# Sourced, with say() and die() defined, and $build an absolute path.

# shellcheck disable=SC2154 # it is set by who sources this
apt_area=$build/apt

apt_here() {
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null
}

# apt_release: the code name of the release, of Ubuntu's for what is built on
# it; apt_keyring: where the distribution keeps its keys
apt_read_release() {
	# shellcheck disable=SC1091 # the file is the system's
	apt_release=$(. /etc/os-release &&
		printf '%s' "${UBUNTU_CODENAME:-${VERSION_CODENAME:-}}")
	[ -n "$apt_release" ] ||
		die "/etc/os-release names no release: pass KERNEL=..."
}

# apt_options FILE NUMBER: whom an entry of the user's sources trusts, as the
# options of a "deb" line.  Entries of *.sources are paragraphs, others lines.
apt_options() {
	case $1 in
	*.sources) set -- "$1" "$2" '' ;;
	*) set -- "$1" "$2" '\n' ;;
	esac
	awk -v RS="$3" -v wanted="$2" 'NR == wanted' "$1" 2>/dev/null |
		tr -s '[] ' '\n' |
		sed -n 's/^signed-by=\(\/.*\)/signed-by=\1/p
			s/^trusted=yes$/trusted=yes/p'
	awk -v RS="$3" -v wanted="$2" 'NR == wanted' "$1" 2>/dev/null |
		sed -n 's/^Signed-By:[[:space:]]*\(\/[^[:space:]]*\).*/signed-by=\1/p
			s/^Trusted:[[:space:]]*yes.*/trusted=yes/p'
}

# The release's own suites (bookworm, bookworm-security, ...) out of the
# user's sources, and its backports from the same mirror.
apt_write_sources() {
	backports=$1
	# Without release information apt needs no lists, which may not be there.
	# shellcheck disable=SC2016 # the names are for apt to fill in
	apt-get indextargets --no-release-info --format \
		'$(CREATED_BY) $(REPO_URI) $(RELEASE) $(COMPONENT) $(SOURCESENTRY)' |
		sort -u | while read -r kind uri suite component entry; do
		case $kind/$component in
		Packages/main) ;;
		*) continue ;;
		esac
		case $suite in
		"$apt_release" | "$apt_release"-security | \
			"$apt_release"-updates) ;;
		stable | stable-security | stable-updates | testing | \
			unstable | sid) ;;
		*) continue ;;
		esac
		options=$(apt_options "${entry%:*}" "${entry##*:}" | tr '\n' ' ')
		printf 'deb %s%s %s main\n' "${options:+[ $options] }" "$uri" \
			"$suite"
		[ "$suite" != "$apt_release" ] || ! $backports ||
			printf 'deb %s%s %s-backports main\n' \
				"${options:+[ $options] }" "$uri" "$suite"
	done | sort -u >"$apt_area/sources.list"
	[ -s "$apt_area/sources.list" ] ||
		die "apt's sources have no main component of $apt_release"
}

apt_setup() {
	mkdir -p "$apt_area/lists/partial" "$apt_area/archives/partial"
	cat >"$apt_area/apt.conf" <<-END
	Dir::State::lists "$apt_area/lists";
	Dir::Cache "$apt_area";
	// Container images switch these off, and each call then parses anew.
	Dir::Cache::pkgcache "pkgcache.bin";
	Dir::Cache::srcpkgcache "srcpkgcache.bin";
	Dir::Etc::sourcelist "$apt_area/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	APT::Architecture "amd64";
	APT::Architectures "amd64";
	// Another user might not be able to enter this folder.
	APT::Sandbox::User "root";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
	Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
	Acquire::IndexTargets::deb::CNF::DefaultEnabled "false";
	// The user's hooks are about the user's lists and cache.
	#clear APT::Update::Pre-Invoke;
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	END
}

ours() {
	tool=$1
	shift
	"$tool" -c "$apt_area/apt.conf" "$@"
}

# Fetch the lists anew if they are older than a day, or if told to.
apt_update() {
	stamp=$apt_area/updated
	if [ "${1:-}" != force ] &&
		[ -n "$(find "$stamp" -mmin -1440 2>/dev/null)" ]; then
		return
	fi
	apt_read_release
	apt_setup
	say "fetching the package lists of $apt_release into $apt_area"
	for backports in true false; do
		apt_write_sources "$backports"
		if ours apt-get -qq update >"$apt_area/log" 2>&1 &&
			! grep -q '^E:' "$apt_area/log"; then
			: >"$stamp"
			return
		fi
	done
	cat "$apt_area/log" >&2
	die "apt cannot fetch its lists: is there a network?"
}

# apt_unpack FOLDER PACKAGE...: download packages and unpack them there
apt_unpack() {
	apt_target=$1
	shift
	rm -rf -- "$apt_area/debs"
	mkdir -p "$apt_area/debs" "$apt_target"
	for attempt in 1 2; do
		if (cd "$apt_area/debs" &&
			ours apt-get -qq download "$@" >"$apt_area/log" 2>&1); then
			break
		fi
		if [ "$attempt" -eq 2 ]; then
			cat "$apt_area/log" >&2
			die "apt cannot download $*"
		fi
		# The mirror may have moved on since the lists were fetched.
		apt_update force
	done
	for deb in "$apt_area/debs"/*.deb; do
		dpkg-deb -x "$deb" "$apt_target" || die "dpkg cannot unpack $deb"
	done
	rm -rf -- "$apt_area/debs"
}
