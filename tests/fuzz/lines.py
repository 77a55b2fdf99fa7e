"""Shell lines made up at random: a command buried in a sound line, and tokens thrown together.

`buried` puts the command where a shell would run it, or might, in as many ways as are known; so no line of its is ever
one that only reads. `soup` knows nothing and finds what nobody thought of.
"""

import shlex
from collections.abc import Callable
from random import Random

MARKERS = ("pwn", "touch x", "rm -f marker", "pwn a b", "./pwn", "mv a b", "echo x > made", "echo x >> made", "> made")
"""Commands that nothing here may allow."""
HARMLESS = ("echo a", "ls", "cat a", "true", "git status", "grep -n x a", "wc -l a", "x=1", ":", "sort a | uniq -c")

Bury = Callable[[Random, str], str]


def buried(rng: Random, marker: str | None = None, depth: int | None = None) -> str:
    """A line in which a command is run by way of up to four things around it."""
    line = marker or rng.choice(MARKERS)
    for _ in range(depth if depth is not None else rng.randint(0, 4)):
        line = rng.choice(WAYS)(rng, line)
    return line


def quoted(rng: Random, text: str) -> str:
    """The text as one word, in one of the ways of quoting."""
    ways = [shlex.quote, _in_double_quotes, _in_ansi_quotes, _with_backslashes]
    if "\n" in text:
        ways.pop()
    return rng.choice(ways)(text)


def _in_double_quotes(text: str) -> str:
    return '"' + "".join("\\" + char if char in '\\"$`' else char for char in text) + '"'


def _in_ansi_quotes(text: str) -> str:
    return "$'" + "".join("\\" + char if char in "\\'" else f"\\x{ord(char):02x}" for char in text) + "'"


def _with_backslashes(text: str) -> str:
    return "".join(char if char.isalnum() else "\\" + char for char in text) or "''"


def _framed(*frames: str) -> Bury:
    """The command in the place of `@`, as it is; `¶` is a harmless command."""

    def bury(rng: Random, line: str) -> str:
        return _filled(rng.choice(frames), line, rng.choice(HARMLESS))

    return bury


def _as_word(*frames: str) -> Bury:
    """The command as one quoted word in the place of `@`."""

    def bury(rng: Random, line: str) -> str:
        return _filled(rng.choice(frames), quoted(rng, line), rng.choice(HARMLESS))

    return bury


def _filled(frame: str, line: str, harmless: str) -> str:
    return harmless.join(piece.replace("@", line) for piece in frame.split("¶"))


LISTS = _framed(
    "@; ¶", "¶; @", "¶ && @", "@ && ¶", "¶ || @", "! @", "@ &", "¶ & @", "¶\n@", "@\n¶", "¶ | @", "@ | ¶", "@ |& ¶",
    "time @", "¶ ;\n\n@", "¶ # comment\n@", "true;@", "¶;@;¶",
)  # fmt: skip
GROUPS = _framed(
    "(@)", "{ @; }", "( ¶ ; @ )", "{ ¶\n@\n}", "if @; then ¶; fi", "if ¶; then @; fi", "if ¶; then ¶; else @; fi",
    "if ¶; then ¶; elif @; then ¶; fi", "while @; do ¶; done", "while ¶; do @; break; done", "until @; do ¶; done",
    "for x in a b; do @; done", "for x in $(@); do ¶; done", "for ((;;)); do @; break; done",
    "case a in a) @;; esac", "case $(@) in a) ¶;; esac", "case a in b) ¶;; *) @ ;; esac",
    "case a in a|b) @;& c) ¶;; esac",
    "select x in a; do @; break; done < a", "f() { @; }; f", "f() ( @ ); f", "function f { @; }; f",
    "f() { @; } ; ¶ ; f",
    "ls() { @; }; ls", "cat() { @; }\ncat a", "coproc @", "coproc { @; }", "coproc X { @; }", "[[ -n $(@) ]]",
)  # fmt: skip
SUBSTITUTIONS = _framed(
    "echo \"${x:-'$(@)'}\"", "echo \"${x+$'$(@)'}\"", "cat <<EOF\n${x:-'$(@)'}\nEOF", "x=([$(@)]=1)",
    "x+=(b [`@`]=c)",
    "echo $(@)", 'echo "$(@)"', "echo `@`", 'echo "`@`"', "x=$(@)", "x=$(@) ls", "export x=$(@)", "echo ${x:-$(@)}",
    'echo "${x:-$(@)}"', "echo ${x:=$(@)}", "echo ${x+$(@)}", "echo ${x#$(@)}", "echo ${x/a/$(@)}",
    "echo ${x##*$(@)}", "echo ${x%`@`}", "echo ${x//$(@)/a}",
    "echo ${x^$(@)}", "echo ${x,,$(@)}", 'echo "${x%%a$(@)}"', "case a in *$(@)) ls;; esac",
    "case $(@)* in a) ls;; esac",
    "[[ a == *$(@) ]]", "[[ a =~ ^$(@) ]]", "[[ a == ?($(@)) ]]", "case a in +(`@`|b)) ls;; esac",
    "[[ `@` ]]", "echo $(( $(@) ))",
    "cat <(@)", "ls > >(@)", "diff <(@) <(¶)", "cat <<< $(@)", 'cat <<< "$(@)"', "cat <<EOF\n$(@)\nEOF",
    "cat <<-EOF\n\t$(@)\n\tEOF", "x=(a $(@))", "x[$(@)]=1", "echo ${x[$(@)]}", "echo $[ $(@) ]", "ls < <(@)",
    "echo a$(@)b", "echo {a,$(@)}", "ls > $(@)", "echo $'a' $(@)", "[ -n \"$(@)\" ]", "declare -A m=([a]=$(@))",
    "echo ${x:0:$(@)}", "echo ${#x[$(@)]}", "cat << 'A'\n$(ls)\nA\n@", "((x = $(@)))", "let x=$(@)",
    "read x <<< $(@)",
)  # fmt: skip
WRAPPED = _framed(
    "env @", "env A=1 @", "env -i @", "env -u A @", "command @", "builtin @", "exec @", "nohup @", "nice @",
    "nice -n 5 @", "timeout 5 @", "timeout -k 1 -s KILL 5s @", "stdbuf -oL @", "setsid @", "sudo @", "sudo -u root @",
    "doas @", "xargs @", "¶ | xargs @", "env - @", "xargs --replace @",
    "xargs --max-lines @", "xargs -I A -L 1 @", "fd x -x @", "taskset 1 @", "xargs -I{} @ {}",
    "find . -exec env + \\; -exec @ \\;", "xargs -n1 -P2 @", "find . -exec @ {} \\;", "time -p @",
    "find . -name '*' -exec @ {} +", "find . -execdir @ ';'", "ionice -c3 @", "strace @", "flock a @",
    "parallel @", "busybox @", "trap - INT; @", "LANG=C @", "/usr/bin/env @", "/usr/bin/timeout 3 @",
    "coproc env @", "su -c @", "chroot . @", "env -S @", "nice nohup env @",
)  # fmt: skip
TEXTS = _as_word(
    "bash -c @", "sh -c @", "sh -ec @", "bash -lc @ x y", "eval @", "eval : ';' @", "trap @ EXIT", "trap -- @ 0",
    "bash <<< @", "echo @ | sh", "echo @ | bash -s", "source /dev/stdin <<< @", ". <(echo @)", "bash <(echo @)",
    "env -S @", "env sh -c @", "timeout 5 bash -c @", "xargs sh -c @", "find . -exec sh -c @ \\;", "ssh host @",
    "watch @", "su -c @", "script -c @", "alias ls=@; ls", "PS4=$(echo @); set -x; ¶", "python3 -c @",
    "sudo bash -c @",
    "awk 'BEGIN { system('@') }'", "make --eval=@", "compgen -C @", "env bash -c @",
    "git -c alias.x='!'@ x", "bash --rcfile @ -ic ls", "mapfile -C @ x < a", "complete -C @ ls", "vim -c @",
    "perl -e @",
)  # fmt: skip
HIDDEN = _as_word(
    "declare -a 'x=($('@'))'", "y='($('@'))'; declare -a x=$y", "x=(1); declare 'x=($('@'))'",
    "typeset -a 'x=([0]=$('@'))'",
    "y='a[$('@')]'; x=([y]=1)", "f() { local -a 'x=($('@'))'; }; f", "y='a[$('@')]'; declare -A x=([$y]=1)",
    "x=@; $x", "x=@; eval $x", "x=@; bash -c \"$x\"", "x=@; ${x}", "x='a[$('@')]'; echo $((x))", "x=@; echo ${!x}",
    "x='a[$('@')]'; [[ $x -eq 1 ]]", "[[ -v 'a[$('@')]' ]]", "test -v 'a[$('@')]'", "printf -v 'a[$('@')]' x",
    "read 'a[$('@')]' < a", "unset 'a[$('@')]'", "declare 'a[$('@')]=1'", "export 'a[$('@')]=1'", "y=@ x=y; ${!x}",
    "let 'a[$('@')]'", "declare -i x; x='a[$('@')]'", "set -- @; $1", "set -- @; \"$@\"", "f() { $1; }; f @",
    "set -a; : ${GIT_EXTERNAL_DIFF:=@}; git diff", "set -a; : ${LD_PRELOAD=@}; ls", "PATH=@ ls",
    "GIT_PAGER=@ git log",
    "export GIT_PAGER=@; git log", "for PATH in @; do ls; done", "IFS=@ ls", "BASH_ENV=@ bash -c ls",
    "readonly PATH=@",
    "read PATH <<< @; ls", "hash -p @ ls; ls", "enable -f @ x", "sort --compress-program=@ a",
    "git -c core.pager=@ log",
    "tar -tf a --to-command=@", "rg --pre @ x", "git grep -O@ x", "sed 's/x/'@'/e' a", "fd -x @",
    "tree -o @", ": > @",
    "env PATH=@ ls", "env LD_PRELOAD=@ ls", "coproc PATH { ¶; }", "declare PATH=@; ls", "PROMPT_COMMAND=@",
    "typeset X=@",
)  # fmt: skip
WAYS: tuple[Bury, ...] = (LISTS, GROUPS, SUBSTITUTIONS, SUBSTITUTIONS, WRAPPED, WRAPPED, TEXTS, TEXTS, HIDDEN)

TOKENS = (
    *("pwn", "pwn ", "pwn", "echo ", "cat ", "ls ", "echo a", "cat a", "a", "b", " ", " ", "\n", "\t", ";", " ; "),
    *("&", "&&", "||", "|", "|&", "(", ")", "{ ", "; }", "$(", "`", ")", '"', "'", "\\", "\\\n", "#", " #", "$", "$'"),
    *("\\x70wn", "<<EOF\n", "<<'EOF'\n", '<<"E"OF\n', "\nEOF\n", "EOF", "<<-EOF\n", "<<<", ">", "> f2", ">/dev/null"),
    *("2>&1", "<a", "if ", "then ", "fi", "; fi", "for x in ", "do ", "done", "; done", "case a in ", "a) ", ";;"),
    *(" esac", "while ", "f() ", "f", "x=", "A=", "x=pwn", "$x", "${x}", "${x:-", "${x:=", "${A=", "}", "[[ ", " ]]"),
    *("[ ", " ]", "!", "! ", "time ", "coproc ", "eval ", "env ", "timeout 5 ", "nice ", "xargs ", "bash -c "),
    *("sh -c ", "'pwn'", '"pwn"', "$((", "))", "((", "*", "?", "[a]", "{a,b}", "{pwn,a}", "~", "-", "=", "%", "\\;"),
    *("{}", "find . -exec ", "-c ", "function ", "select ", "until ", "true ", "false ", "@", "+", "\r", "\x0c"),
    *("\u00a0", "é", "$(<a)", "<(", ">(", '$"', "exec ", "command ", "builtin ", "test ", "read x", "export x="),
    *("declare ", "trap ", "EXIT", "sed -n '1p' a", "p' a", "sed ", "e pwn", "1e pwn", "set -a", "set -e", "cd b"),
    *(": ${A:=a}", "git diff", "CDPATH", "BASH_ENV", "read ", "printf ", "unset ", "local ", "{x}>", "&>", ">|", "<>"),
    *("\\\\", "\\'", '\\"', "$$", "$?", "$!", "$@", "$#", "${#x}", "${x#", "${x%", "${x/", "${x^", "${x@", "${!x}"),
)


def soup(rng: Random) -> str:
    """Tokens of the shell in any order."""
    return "".join(rng.choices(TOKENS, k=rng.randint(2, 11)))


def mutated(rng: Random, line: str) -> str:
    """The line with a few of its characters taken out, doubled, swapped or put in."""
    chars = list(line)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(chars) + 1)
        chars[at : at + rng.randint(0, 2)] = rng.choice([[], [rng.choice(TOKENS)], chars[at : at + 2] * 2])
    return "".join(chars)
