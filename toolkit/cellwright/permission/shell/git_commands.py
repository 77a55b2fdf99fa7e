"""Subcommands of git that only read, with the options with which they do.

Git has options that write (`--output`), run programs (`-c`, `--ext-diff`, `-O`) or change what was only listed
(`branch -D`); a subcommand is known here only as far as it looks.
"""

from __future__ import annotations

from cellwright.permission.shell.options import Options

GLOBAL = Options("", "C", "", "no-pager no-optional-locks literal-pathspecs no-replace-objects", mixed=False)
"""What may stand before the subcommand."""
SHOWN = (
    "abbrev= binary cached check color= color-moved= color-words= compact-summary cumulative diff-algorithm="
    " diff-filter="
    " dirstat= exit-code find-copies= find-copies-harder find-renames= full-index function-context histogram"
    " ignore-all-space ignore-blank-lines ignore-space-at-eol ignore-space-change indent-heuristic inter-hunk-context="
    " merge-base minimal name-only name-status no-color no-ext-diff no-indent-heuristic no-patch no-prefix no-renames"
    " no-textconv numstat patch patch-with-stat patience pickaxe-all pickaxe-regex quiet raw relative= shortstat"
    " staged stat= submodule= summary text unified= word-diff= word-diff-regex= src-prefix= dst-prefix="
)
LOGGED = (
    " abbrev-commit after= all all-match ancestry-path author= author-date-order basic-regexp before= boundary"
    " branches="
    " cherry cherry-mark cherry-pick children clear-decorations committer= date= date-order decorate= decorate-refs="
    " dense encoding= extended-regexp first-parent fixed-strings follow format= full-history glob= graph grep="
    " invert-grep left-only left-right log-size max-count= max-parents= merge merges min-parents= no-abbrev-commit"
    " no-decorate no-max-parents no-merges no-notes notes= oneline parents perl-regexp pretty= reflog"
    " regexp-ignore-case"
    " relative-date remotes= reverse right-only show-pulls show-signature simplify-by-decoration simplify-merges since="
    " skip= source sparse tags= topo-order until= use-mailmap walk-reflogs"
)
DIFFED = Options("abpqRsuwWz", "SGl", "UMCBXD", SHOWN, numeric=True)
LOG = Options("abEFgimpqRstuwWz", "SGlLn", "UMCBXD", SHOWN + LOGGED, numeric=True)
NAMES = (
    "contains= merged= no-contains= no-merged= points-at= sort= format= color= no-color column= no-column ignore-case"
)

SUBCOMMANDS: dict[str, Options] = {
    "annotate": Options("bcefklnpstw", "L", "MC", "date= root show-email line-porcelain porcelain"),
    "blame": Options("bcefklnpstw", "L", "MC", "date= root show-email line-porcelain porcelain incremental"),
    "branch": Options("ailrv", "", "", "all list remotes verbose show-current " + NAMES, most=0),
    "cat-file": Options("epst", "", "", "batch-check= allow-unknown-type"),
    "check-attr": Options("az", long="all cached"),
    "check-ignore": Options("nqvz", long="no-index non-matching quiet verbose"),
    "cherry": Options("v", long="abbrev= verbose"),
    "config": Options("lz", long="list get get-all get-regexp get-urlmatch show-origin show-scope name-only"
                      " global local system"
                      " worktree null", needs="-l --list --get --get-all --get-regexp --get-urlmatch"),
    "count-objects": Options("vH", long="verbose human-readable"),
    "describe": Options(long="all tags contains dirty= broken= abbrev= long always match= exclude= first-parent"
                        " exact-match"
                        " candidates="),
    "diff": DIFFED,
    "diff-files": DIFFED,
    "diff-index": DIFFED,
    "diff-tree": Options("abcmprRstuvwz", "SG", "UMCB", SHOWN + " no-commit-id root stdin pretty= format="),
    "for-each-ref": Options("", long="count= shell perl python tcl " + NAMES),
    "grep": Options("acEFGhHiIlLnopPqrsvwWz", "ABCem", "", "all-match and or not untracked no-index cached"
                    " recursive text"
                    " ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp"
                    " fixed-strings line-number column count name-only files-with-matches files-without-match"
                    " only-matching"
                    " heading break show-function function-context color= no-color quiet", "max-depth max-count"
                    " threads",
                    numeric=True),
    "log": LOG,
    "ls-files": Options("cdikmorstuvz", "xX", "", "cached deleted modified others ignored stage directory"
                        " unmerged killed eol full-name"
                        " no-empty-directory deduplicate recurse-submodules exclude-standard error-unmatch abbrev=",
                        "exclude exclude-from"),
    "ls-tree": Options("dlrtz", long="name-only name-status object-only full-name full-tree long abbrev= format="),
    "merge-base": Options("a", long="all octopus is-ancestor fork-point independent"),
    "name-rev": Options(long="tags all name-only always refs= exclude= no-undefined"),
    "range-diff": DIFFED,
    "reflog": Options("n", numeric=True, most=0),
    "reflog show": LOG,
    "remote": Options("v", long="verbose", most=0),
    "remote get-url": Options(long="all push"),
    "rev-list": Options("", "n", "", LOGGED + " count objects disk-usage", numeric=True),
    "rev-parse": Options("q", long="abbrev-ref= absolute-git-dir all branches= git-common-dir git-dir"
                         " is-bare-repository"
                         " is-inside-git-dir is-inside-work-tree is-shallow-repository quiet remotes= short= show-cdup"
                         " show-object-format show-prefix show-superproject-working-tree show-toplevel symbolic"
                         " symbolic-full-name tags= verify", long_valued="git-path"),
    "shortlog": Options("censw", long="committer numbered summary email group= no-merges all since= until= author="),
    "show": LOG,
    "show-branch": Options("ar", long="all remotes current topo-order date-order sparse more= list color="
                           " no-color", most=None),
    "show-ref": Options("dhqs", long="head heads tags dereference hash= verify quiet abbrev= branches"),
    "stash list": LOG,
    "stash show": Options("puw", "", "", SHOWN + " include-untracked only-untracked"),
    "status": Options("bsvz", "", "uM", "ahead-behind branch column= find-renames= ignore-submodules= ignored="
                      " long no-ahead-behind"
                      " no-column no-renames porcelain= renames short show-stash untracked-files= verbose"),
    "submodule status": Options(long="cached recursive"),
    "symbolic-ref": Options("q", long="short quiet", most=1),
    "tag": Options("il", "", "n", "list " + NAMES, most=0),
    "version": Options(long="build-options", most=0),
    "whatchanged": LOG,
    "worktree list": Options("vz", long="porcelain verbose"),
}  # fmt: skip

BEFORE_SUBCOMMAND = Options(
    "pP", "Cc", "", "bare exec-path= no-pager no-optional-locks no-replace-objects paginate literal-pathspecs",
    "config-env git-dir namespace super-prefix work-tree", mixed=False,
)  # fmt: skip
"""What may stand between `git` and its subcommand, in a call that need not be one that only reads."""
