#!/usr/bin/env python3
"""Tell what keeps a tool's orientation below the best possible, in the repositories where it does worst.

    worst.py TRUTH WORKDIR COMMAND --mirror DIR [--worst 10] [--files 5]

TRUTH, WORKDIR, COMMAND and DIR are those of score.py. For each of the
repositories with the least A.main.value: what share of the budget went into
files that nobody edited later, and the files of the truth that lose most
beside the oracle, with what both carry of them. Prints Markdown.

Python standard library and git only.
"""
import argparse
import concurrent.futures
import json
import os
import sys

sys.dont_write_bytecode = True
import score


def oracle(files, budget):
    """What the best digest carries of each file, in characters: as score.bound_worth fills the budget."""
    segments = [(f["weight"] * 0.5 / c, c, f["path"])
                for f in files for c in (score.SHARE * f["chars"], (1 - score.SHARE) * f["chars"])]
    left, carried = float(budget), {}
    for _, c, path in sorted(segments, reverse=True):
        take = min(c, left)
        carried[path] = carried.get(path, 0.0) + take
        left -= take
        if left <= 0:
            break
    return carried


def look_at(repo, args):
    """The figures of one repository, and what is lost of which file."""
    where = score.shadow(score.bare_dir(args.mirror, repo["slug"]),
                         os.path.join(os.path.abspath(args.workdir), repo["slug"]))
    case = repo["orientation"]
    score.checkout(where, case["commit"])
    shown, problem = score.run_tool(args.command, where, args.budget, "", args.timeout)
    shown = shown or []
    truth = [f for f in case["files"] if f["kind"] in score.UNIVERSES["main"]]
    best, top = oracle(truth, args.budget), score.bound_worth(truth, args.budget)
    carried = {f[0]: f for f in shown}
    edited = {f["path"] for f in case["files"]}
    lost = []
    for f in truth:
        _, mode, chars, _ = carried.get(f["path"], (f["path"], "", 0, 0))
        ideal = best.get(f["path"], 0.0)
        gap = f["weight"] * (score.worth("outline", ideal, f["chars"]) - score.worth(mode, chars, f["chars"]))
        lost.append((gap / top, f, ideal, mode, chars))
    total = sum(f[2] for f in shown)
    return {"slug": repo["slug"], "problem": problem, "files": len(shown), "total": total,
            "value": score.score_orientation(case, shown, args.budget)["A.main.value"],
            "best": sum(1 for chars in best.values() if chars > 0),
            "unedited": sum(f[2] for f in shown if f[0] not in edited) / max(1, total),
            "aside": sum(f[2] for f in shown if f[0] in edited and f[0] not in {t["path"] for t in truth}) / max(1, total),
            "lost": sorted(lost, key=lambda row: (-row[0], row[1]["path"]))[:args.files]}


def part(mode, chars, size):
    """What is carried of a file, in words."""
    if chars <= 0:
        return "nothing"
    share = "all" if chars >= size else "%.0f%%" % (100 * chars / size)
    return share if mode in ("", "full") else "%s, %s" % (share, mode)


def table(head, rows):
    width = [max(3, *(len(str(r[i])) for r in [head] + rows)) for i in range(len(head))]
    line = lambda r: "| " + " | ".join(
        str(c).rjust(width[i]) if i else str(c).ljust(width[i]) for i, c in enumerate(r)) + " |"
    rule = "| " + " | ".join("-" * (w - 1) + ":" if i else "-" * w for i, w in enumerate(width)) + " |"
    print("\n".join([line(head), rule] + [line(r) for r in rows]))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("truth")
    ap.add_argument("workdir")
    ap.add_argument("command")
    ap.add_argument("--mirror", required=True)
    ap.add_argument("--worst", type=int, default=10, help="so many repositories")
    ap.add_argument("--files", type=int, default=5, help="so many files of each")
    ap.add_argument("--budget", type=int, default=40000)
    ap.add_argument("--timeout", type=int, default=120, help="seconds for one run")
    args = ap.parse_args()
    with open(args.truth) as f:
        repos = json.load(f)["repos"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        looks = sorted(pool.map(lambda repo: look_at(repo, args), repos), key=lambda look: look["value"])

    worst = looks[:args.worst]
    table(["repository", "A.main.value", "files", "the oracle's", "characters carried", "of files nobody edited",
           "of edited tests and others"],
          [["`%s`" % w["slug"].replace("+", "/"), "%.3f" % w["value"], w["files"], w["best"], w["total"],
            "%.0f%%" % (100 * w["unedited"]), "%.0f%%" % (100 * w["aside"])] for w in worst])
    print()
    rows = []
    for w in worst:
        if w["problem"]:
            print("%s: %s\n" % (w["slug"], w["problem"]))
        rows += [["%s: `%s`" % (w["slug"].split("+")[-1], f["path"]), f["weight"], f["chars"],
                  part("", ideal, f["chars"]), part(mode, chars, f["chars"]), "%.3f" % gap]
                 for gap, f, ideal, mode, chars in w["lost"]]
    table(["file", "later edits", "characters", "the oracle carries", "carried", "lost"], rows)


if __name__ == "__main__":
    main()
