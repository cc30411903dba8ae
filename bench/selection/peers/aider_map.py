"""aider's map of a repository for the scorer: `PYTHON aider_map.py CHECKOUT BUDGET [QUERY]`.

The map is asked for in characters: a model whose tokens are characters. aider takes its budget for a guideline, so it
is asked for less until the map fits. A query is treated as aider treats a message: the names in it weigh more.
"""
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from types import SimpleNamespace

from aider.coders.base_coder import Coder
from aider.io import InputOutput
from aider.repomap import RepoMap


class Characters:
    """A model that counts characters."""

    def token_count(self, text):
        return len(text)


def carried(text, paths, checkout):
    """The files of a map with the characters of them that it shows, in its order."""
    files, path = [], None
    for line in text.splitlines():
        name = line[:-1] if line.endswith(":") else line
        if name in paths:
            path = name if line.endswith(":") else None
            if path:
                with open(os.path.join(checkout, path), encoding="utf-8", errors="replace") as f:
                    size = len(f.read())
                files.append({"path": path, "mode": "outline", "chars": 0, "size": max(1, size)})
        elif path and line.startswith("│"):
            files[-1]["chars"] += len(line)
    for file in files:
        file["chars"] = min(file["chars"], file["size"])
    return files


def main():
    checkout, budget = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    query = sys.argv[3] if len(sys.argv) > 3 else ""
    listed = subprocess.run(["git", "-C", checkout, "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout
    paths = [path for path in listed.decode("utf-8", "surrogateescape").split("\0")
             if path and os.path.isfile(os.path.join(checkout, path))]
    words = Coder.get_ident_mentions(None, query) if query else set()
    asked = SimpleNamespace(get_all_relative_files=lambda: paths)
    names = Coder.get_ident_filename_matches(asked, words)

    tags = tempfile.mkdtemp()
    RepoMap.TAGS_CACHE_DIR = tags
    try:
        ask, text = budget, None
        with contextlib.redirect_stdout(io.StringIO()):
            for _ in range(8):
                repo_map = RepoMap(map_tokens=ask, root=checkout, main_model=Characters(),
                                   io=InputOutput(pretty=False, yes=True, fancy_input=False), refresh="files")
                files = [os.path.join(checkout, path) for path in paths]
                text = repo_map.get_repo_map([], files, names, words) or ""
                if len(text) <= budget:
                    break
                ask = int(ask * min(0.97, budget / len(text)))
        print(json.dumps({"budget": {"limit": budget, "used": len(text)},
                          "files": carried(text, set(paths), checkout)}))
    finally:
        shutil.rmtree(tags, ignore_errors=True)


if __name__ == "__main__":
    main()
