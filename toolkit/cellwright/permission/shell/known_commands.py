"""Commands that only read, with the options with which they do.

The table is data to be read and argued about. What is not in it is asked about: a program, a subcommand, an option
that someone added last year. So a line belongs here only if no combination of what it lists writes, sends or runs
anything, or follows links that it comes upon, out of the working folder. Abbreviated long options are not known either.
"""

from __future__ import annotations

from cellwright.permission.shell.options import Options

SUM = Options("bctwz", long="binary check text quiet status strict warn zero tag ignore-missing")
GREP = Options(
    "abcEFGHhIiLlnoPqrsTUVvwxyZz", "ABCDdem", numeric=True,
    long="extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp"
    " line-regexp count color= colour= files-with-matches files-without-match only-matching quiet silent no-messages"
    " byte-offset with-filename no-filename line-number initial-tab null text recursive version"
    " null-data line-buffered binary",
    long_valued="regexp max-count label after-context before-context context binary-files directories include exclude"
    " exclude-dir",
)  # fmt: skip
AWK = Options("", "Fv", long_valued="field-separator assign", mixed=False)
VERSION = Options("V", long="version", most=0, needs="-V --version")
DIFF = Options(
    "abBcdEiNpqrsTtuwy", "ILWx", "UC", numeric=True,
    long="brief report-identical-files side-by-side ignore-case ignore-all-space ignore-space-change text recursive"
    " ignore-blank-lines new-file unified= context= color= suppress-common-lines strip-trailing-cr minimal"
    " no-dereference",
    long_valued="width exclude label",
)  # fmt: skip

PROGRAMS: dict[str, Options] = {
    ":": Options(),
    "arch": Options(most=0),
    "awk": AWK,
    "b2sum": SUM,
    "basename": Options("az", "s", long="multiple zero", long_valued="suffix"),
    "break": Options(most=1),
    "cal": Options("13jmswyY", numeric=True),
    "cat": Options("AbeEnstTuv", long="show-all number-nonblank show-ends number squeeze-blank show-tabs"
                   " show-nonprinting"),
    "cd": Options("LP", most=1),
    "cksum": Options(),
    "cmp": Options("bls", "in", long="print-bytes verbose quiet silent", most=2),
    "command": Options("vV", needs="-v -V"),
    "comm": Options("123z", long="check-order nocheck-order total zero-terminated", long_valued="output-delimiter"),
    "continue": Options(most=1),
    "cut": Options("nsz", "bcdf", long="complement only-delimited zero-terminated",
                   long_valued="bytes characters delimiter fields output-delimiter"),
    "date": Options("uR", "d", "I", long="utc universal rfc-email iso-8601= rfc-3339=", long_valued="date"),
    "df": Options("ahHiklPT", "tx", long="all human-readable si inodes local portability print-type total",
                  long_valued="type exclude-type"),
    "diff": DIFF,
    "dirname": Options("z", long="zero"),
    "du": Options("0abchHklmPsSx", "dBt", long="all apparent-size bytes total human-readable summarize si null"
                  " count-links separate-dirs one-file-system", long_valued="max-depth exclude threshold"),
    "echo": Options(),
    "egrep": GREP,
    "exit": Options(most=1),
    "expand": Options("i", "t"),
    "false": Options(),
    "fd": Options("HIuasiglp01q", "dtEecSj", long="hidden no-ignore absolute-path ignore-case case-sensitive"
                  " glob full-path print0 list-details", long_valued="max-depth type exclude extension color size"),
    "fgrep": GREP,
    "file": Options("bhikLNprs0", "F", long="brief mime mime-type mime-encoding dereference no-dereference"),
    "find": Options(
        single_dash="-H -P -a -and -daystart -depth -empty -executable -false -ls -mount -nogroup"
        " -noleaf -not"
        " -nouser -o -or -print -print0 -prune -quit -readable -true -writable -xdev"
        " -amin= -anewer= -atime= -cmin= -cnewer= -ctime= -fstype= -gid= -group= -ilname= -iname= -inum= -ipath="
        " -iregex="
        " -iwholename= -links= -lname= -maxdepth= -mindepth= -mmin= -mtime= -name= -newer= -newermt= -path= -perm="
        " -printf= -regex= -regextype= -samefile= -size= -type= -uid= -used= -user= -wholename= -xtype=",
    ),
    "fmt": Options("cstu", "wp"),
    "fold": Options("bs", "w", long="bytes spaces", long_valued="width"),
    "free": Options("bkmghtlw"),
    "gawk": AWK,
    "grep": GREP,
    "groups": Options(),
    "head": Options("qvz", "nc", long="quiet silent verbose zero-terminated", long_valued="lines bytes", numeric=True),
    "hexdump": Options("bcCdovx", "nse"),
    "hostname": Options("sfdiI", most=0),
    "id": Options("agGnruz"),
    "join": Options("iz", "aet12jov", long="check-order nocheck-order header ignore-case"),
    "jq": Options("acCejMnrRsS", long="ascii-output compact-output color-output monochrome-output exit-status"
                  " null-input"
                  " join-output raw-output raw-input slurp sort-keys tab"),
    "ls": Options("1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ", "IwT", long="all almost-all author escape directory classify="
                  " color= full-time group-directories-first human-readable si dereference inode literal no-group"
                  " numeric-uid-gid quote-name recursive reverse size zero hide-control-chars ignore-backups context",
                  long_valued="block-size format hide ignore indicator-style quoting-style sort time time-style width"),
    "mawk": AWK,
    "md5sum": SUM,
    "nl": Options("p", "bdfhilnsvw"),
    "nproc": Options(long="all", long_valued="ignore"),
    "od": Options("abcdfilosvx", "AjNSt"),
    "paste": Options("sz", "d", long="serial zero-terminated", long_valued="delimiters"),
    "pip list": Options("le", long="editable local user not-required", long_valued="format"),
    "pip show": Options("f", long="files verbose"),
    "printf": Options(),
    "ps": Options("aAcdefFHjlLmMnNrSTuvwxXyZ", "Copstu", long="forest headers no-headers", long_valued="sort pid"
                  " user format"),
    "pwd": Options("LP", most=0),
    "readlink": Options("fenmqsvz", long="canonicalize canonicalize-existing canonicalize-missing no-newline"),
    "realpath": Options("eLmPqsz", long="canonicalize-existing canonicalize-missing logical physical quiet strip"
                        " no-symlinks zero", long_valued="relative-to relative-base"),
    "return": Options(most=1),
    "rev": Options(),
    "rg": Options(
        "abcFhHiIlnNopPqsSUuvVwx0.", "ABCdEegjmMrtT",
        long="after-context before-context binary byte-offset case-sensitive column count count-matches crlf"
        " debug files"
        " files-with-matches files-without-match fixed-strings glob-case-insensitive heading hidden ignore-case"
        " include-zero invert-match json line-number line-regexp max-columns-preview multiline multiline-dotall"
        " no-column no-config no-filename no-heading no-ignore no-ignore-vcs no-line-number no-messages null"
        " one-file-system only-matching passthru pcre2 pretty quiet smart-case stats text trim type-list unrestricted"
        " version vimgrep with-filename word-regexp",
        long_valued="color colors context encoding engine glob iglob max-columns max-count max-depth max-filesize"
        " path-separator"
        " regexp replace sort sortr threads type type-not",
    ),
    "sed": Options("nErsuz", "e", long="quiet silent regexp-extended separate null-data posix unbuffered",
                   long_valued="expression"),
    "seq": Options("w", "fs", long="equal-width", long_valued="format separator", numeric=True),
    "set": Options("aefhnuvxEBCT", "o"),
    "sha1sum": SUM,
    "sha224sum": SUM,
    "sha256sum": SUM,
    "sha384sum": SUM,
    "sha512sum": SUM,
    "shasum": Options("bctUps0", "a", long="binary check text tag quiet status strict warn", long_valued="algorithm"),
    "shift": Options(most=1),
    "sleep": Options(),
    "sort": Options(
        "bcCdfghiMmnrRsuVz", "ktS",
        long="ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort"
        " ignore-nonprinting"
        " month-sort numeric-sort random-sort reverse version-sort check= debug merge stable unique zero-terminated",
        long_valued="key field-separator buffer-size parallel sort",
    ),
    "stat": Options("fLt", "c", long="dereference file-system terse", long_valued="format printf"),
    "strings": Options("afo", "ent", numeric=True),
    "sum": Options("rs"),
    "tac": Options("br", "s"),
    "tail": Options("qvz", "nc", long="quiet silent verbose zero-terminated", long_valued="lines bytes", numeric=True),
    "tar": Options("tvzjJ", "f", long="list verbose gzip bzip2 xz zstd", long_valued="file", needs="-t --list"),
    "test": Options(),
    "tr": Options("cCdst", long="complement delete squeeze-repeats truncate-set1", most=2),
    "tree": Options("aACdDfFghiJnNpqrsStuUvxX", "LPI", long="dirsfirst filesfirst gitignore noreport prune du si"
                    " inodes device"
                    " matchdirs ignore-case", long_valued="charset filelimit sort"),
    "true": Options(),
    "tty": Options("s", most=0),
    "type": Options("afpPt"),
    "uname": Options("amnprsvio", long="all", most=0),
    "unexpand": Options("a", "t"),
    "uniq": Options("cdDuiz", "fsw", long="count repeated all-repeated= unique ignore-case zero-terminated",
                    long_valued="skip-fields skip-chars check-chars", most=1),
    "uptime": Options("ps", most=0),
    "wait": Options(),
    "wc": Options("clLmw", long="bytes chars lines max-line-length words", long_valued="total"),
    "which": Options("as"),
    "whoami": Options(most=0),
    "xxd": Options("abeEipuC", "clsgo", most=1),
    **dict.fromkeys(("cmake", "gcc", "g++", "git", "make", "node", "npm", "pip", "pip3"), VERSION),
    **dict.fromkeys(("python", "python3", "ruby", "uv"), VERSION),  # not rustc: a project's file may name another one
}  # fmt: skip
"""Programs, and programs with a subcommand, by name."""

TEXTUAL = frozenset({":", "echo", "false", "true"})
"""Commands that do nothing with their words but print them: any word is harmless."""
FIRST_IS_TEXT = frozenset({"awk", "egrep", "fd", "fgrep", "gawk", "grep", "jq", "mawk", "rg", "sed"}) | {"git grep"}
"""Commands whose first operand is no path but what to look for or to do, unless an option gave it."""
NO_PATHS = frozenset({
    "basename", "break", "cal", "command", "continue", "date", "dirname", "echo", "exit", "false", "groups", "hostname",
    "id", "printf", "return", "seq", "set", "shift", "sleep", "test", "tr", "true", "type", "uname", "wait", "which",
    ":", "pip show",
})  # fmt: skip
"""Commands whose operands are no paths."""
DECLARING = frozenset({"declare", "export", "local", "read", "readonly", "typeset", "unset"})
"""Commands that set variables: harmless for plain names without special meaning."""
