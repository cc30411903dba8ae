import { describe, expect, it } from 'vitest';
import { languageOf } from '../language/language.ts';
import { GraphBuilder } from './graph.ts';

interface Case {
  /** The file that imports. */
  readonly from: string;
  readonly text: string;
  /** Files that there are besides. */
  readonly files?: readonly string[];
  /** Texts of others that matter. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, string>>;
  /** Files that are imported, with their shares where these are not 1. */
  readonly imports: readonly (string | readonly [path: string, share: number])[];
}

function importsOf({ from, text, files = [], texts = {}, packages = {} }: Case): [string, number][] {
  const paths = [...new Set([from, ...files, ...Object.keys(texts)])].sort();
  const sources = paths.map((path) => ({ path, language: languageOf(path)?.name ?? '' }));
  const graph = (extra: Readonly<Record<string, string>>) => {
    const builder = new GraphBuilder(sources, new Map(Object.entries(packages)));
    for (const [path, other] of Object.entries({ ...texts, ...extra })) builder.add(path, other);
    return builder.finish();
  };
  const [before, after] = [graph({ [from]: texts[from] ?? '' }), graph({ [from]: text })];
  return paths.flatMap((path) => {
    const share = after.importersOf(path) - before.importersOf(path);
    return share > 0 ? [[path, Number(share.toFixed(2))] as [string, number]] : [];
  });
}

function check(cases: Readonly<Record<string, Case>>): void {
  it.each(Object.entries(cases))('%s', (_, one) => {
    const expected = one.imports.map((file) => (typeof file === 'string' ? [file, 1] : [...file]));
    expect(importsOf(one)).toEqual(expected.sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)));
  });
}

describe('Python', () => {
  check({
    'modules and names of packages, relative': {
      from: 'src/app/core/run.py',
      text: 'from . import state, missing\nfrom .state import A\nfrom ..util.text import (\n  cut,  # as it was\n  join as j,\n)\n',
      files: [
        'src/app/__init__.py',
        'src/app/core/__init__.py',
        'src/app/core/state.py',
        'src/app/util/text.py',
      ],
      imports: ['src/app/core/__init__.py', 'src/app/core/state.py', 'src/app/util/text.py'],
    },
    'by the whole name, below src or beside the tests': {
      from: 'tests/unit/test_run.py',
      text: 'import app.core.run as run, os\nfrom app.core import state\nfrom tests.helpers import *\nimport conftest\n',
      files: [
        'src/app/__init__.py',
        'src/app/core/run.py',
        'src/app/core/state.py',
        'tests/helpers.py',
        'conftest.py',
      ],
      imports: ['conftest.py', 'src/app/core/run.py', 'src/app/core/state.py', 'tests/helpers.py'],
    },
    'a namespace without a file of its own': {
      from: 'libs/a/ns/graph/x.py',
      text: 'from ns.base import Base\nfrom ns.graph.y import y\n',
      files: ['libs/a/ns/graph/__init__.py', 'libs/a/ns/graph/y.py', 'libs/b/ns/base/__init__.py'],
      imports: ['libs/a/ns/graph/y.py', 'libs/b/ns/base/__init__.py'],
    },
    'the nearest of several': {
      from: 'b/main.py',
      text: 'from utils import x\n',
      files: ['a/utils.py', 'b/utils.py', 'c/utils.py'],
      imports: ['b/utils.py'],
    },
    'nothing of the standard library that a package has a module for': {
      from: 'app/core.py',
      text: 'import types\nimport logging\n',
      files: ['app/__init__.py', 'app/types.py', 'other/logging.py'],
      imports: [],
    },
    'nothing in comments and docstrings': {
      from: 'a.py',
      text: '"""\nfrom b import x\n"""\n# import b "\'\'\'\n#import b\nx = 1\n',
      files: ['b.py'],
      imports: [],
    },
    'over a line that goes on': {
      from: 'a.py',
      text: 'from b import x, \\\n    c\nfrom d import c\n',
      files: ['b/__init__.py', 'b/c.py', 'd.py'],
      imports: ['b/__init__.py', 'b/c.py', 'd.py'],
    },
  });
});

describe('JavaScript and TypeScript', () => {
  check({
    'all forms, on one line and on several': {
      from: 'src/a.ts',
      text: "import b from './b';\nimport './c.js';\nimport type {\n  D,\n} from './d';\nexport * from \"./e\";\nexport { f } from './f';\nconst g = require('./g');\nawait import('./h');\n",
      files: 'b.ts c.ts d.tsx e/index.ts f.mjs g.cjs h.vue'.split(' ').map((name) => `src/${name}`),
      imports: 'b.ts c.ts d.tsx e/index.ts f.mjs g.cjs h.vue'.split(' ').map((name) => `src/${name}`),
    },
    'a file of that very name before others': {
      from: 'a.js',
      text: "import './x.js';\nimport './y';",
      files: ['x.js', 'x.ts', 'y.d.ts', 'y.js', 'y/index.js'],
      imports: ['x.js', 'y.js'],
    },
    'packages of the workspace, by their sources': {
      from: 'apps/web/main.ts',
      text: "import '@org/core';\nimport '@org/core/deep/x';\nimport 'tool';\nimport 'react';\nimport '@org/other';",
      files: [
        'packages/core/src/index.ts',
        'packages/core/src/deep/x.ts',
        'packages/tool/tool.js',
        'react.js',
      ],
      packages: { '@org/core': 'packages/core', tool: 'packages/tool' },
      imports: ['packages/core/src/deep/x.ts', 'packages/core/src/index.ts', 'packages/tool/tool.js'],
    },
    "a package's own tests": {
      from: 'test/a.test.js',
      text: "require('..');\nrequire('thing');\n",
      files: ['thing.js'],
      packages: { thing: '' },
      imports: ['thing.js'],
    },
    'what stands for a folder of sources, the nearest': {
      from: 'apps/one/src/pages/home.tsx',
      text: "import { B } from '@/components/Button';\nimport c from '$lib/c.js?raw';\nimport d from '~/d';\nimport e from '@babel/core';\nimport u from '~u';",
      files: [
        'apps/one/src/components/Button.tsx',
        'apps/two/src/components/Button.tsx',
        'apps/one/src/lib/c.ts',
        'apps/one/src/d.ts',
        'apps/one/u.ts',
      ],
      imports: ['apps/one/src/components/Button.tsx', 'apps/one/src/d.ts', 'apps/one/src/lib/c.ts'],
    },
    'from a folder above': {
      from: 'src/pages/a.ts',
      text: "import x from 'components/x';\nimport y from 'src/y';\nimport fs from 'node:fs/promises';\nimport z from '/z.js';",
      files: ['src/components/x.ts', 'src/y.ts', 'z.js'],
      imports: ['src/components/x.ts', 'src/y.ts', 'z.js'],
    },
    'nothing in comments': {
      from: 'a.js',
      text: "/*\nimport './b';\n*/\n/**\n * import './b';\n * taken from './b'\n */\n// import './b'\nexport const from = './b';\n",
      files: ['b.js'],
      imports: [],
    },
    'a component, out of its script': {
      from: 'a/App.vue',
      text: "<template><p>x</p></template>\n<!--\nimport './no.vue'\n-->\n<script setup lang=\"ts\">\nimport B from './B.vue'\n</script>\n",
      files: ['a/B.vue', 'a/no.vue'],
      imports: ['a/B.vue'],
    },
    'nothing out of the source, nothing of itself': {
      from: 'a.js',
      text: "import '../../b.js';\nimport './a.js';",
      files: ['b.js'],
      imports: [],
    },
  });
});

describe('Go', () => {
  check({
    'a package, shared by its files but tests': {
      from: 'cmd/tool/main.go',
      text: 'package main\n\nimport (\n\t"fmt"\n\tm "example.com/me/tool/model"\n\n\t_ "example.com/me/tool/model/labels" // for effects\n)\n\nvar x = []string{\n\t"example.com/me/tool/no",\n}\n',
      files: ['model/a.go', 'model/b.go', 'model/a_test.go', 'model/labels/l.go', 'no/n.go', 'fmt/f.go'],
      imports: [['model/a.go', 0.5], ['model/b.go', 0.5], 'model/labels/l.go'],
    },
    'no package of another module that is named like one of ours': {
      from: 'main.go',
      text: 'import "github.com/me/x/config"\nimport "github.com/me/x/model"\nimport "github.com/me/common/model"\nimport "github.com/me/common/log"\nimport "github.com/me/common/web"\n',
      files: ['config/c.go', 'model/m.go', 'web/w.go'],
      imports: ['config/c.go', 'model/m.go'],
    },
    'a module below the root': {
      from: 'services/api/main.go',
      text: 'import (\n\t"example.com/api/internal/db"\n\t"example.com/api/internal/web"\n)',
      files: ['services/api/internal/db/d.go', 'services/api/internal/web/w.go'],
      imports: ['services/api/internal/db/d.go', 'services/api/internal/web/w.go'],
    },
  });
});

describe('Rust', () => {
  check({
    'modules, and paths from the crate, above and within': {
      from: 'crates/a-b/src/x/mod.rs',
      text: 'mod one;\npub(crate) mod two;\nmod inline { }\nuse crate::util::{text::{self, Cut}, paths};\nuse super::z::Z as Y;\nuse self::two::three::f;\npub use one::T;\n',
      files: 'lib.rs util/mod.rs util/text.rs util/paths.rs z.rs x/one.rs x/two/mod.rs x/two/three.rs'
        .split(' ')
        .map((name) => `crates/a-b/src/${name}`),
      imports: 'util/paths.rs util/text.rs x/one.rs x/two/mod.rs x/two/three.rs z.rs'
        .split(' ')
        .map((name) => `crates/a-b/src/${name}`),
    },
    'crates of the workspace by their folders, or by the names that are given': {
      from: 'crates/a/src/main.rs',
      text: 'use std::fmt;\nuse b_c::{\n    // in the root\n    Thing,\n    deep::Other,\n};\nuse named::x::X;\nuse serde::Serialize;\n',
      files: [
        'crates/b-c/src/lib.rs',
        'crates/b-c/src/deep.rs',
        'crates/odd/src/x.rs',
        'crates/odd/src/lib.rs',
      ],
      packages: { named: 'crates/odd' },
      imports: ['crates/b-c/src/deep.rs', 'crates/b-c/src/lib.rs', 'crates/odd/src/x.rs'],
    },
    "a test's modules beside it, its file for what is above a module in it": {
      from: 'tests/it.rs',
      text: 'mod common;\n/*\nmod no;\n*/\nmod tests {\n    use super::*;\n    use super::common::x;\n}\n',
      files: ['tests/common/mod.rs', 'tests/no.rs', 'src/lib.rs'],
      imports: ['tests/common/mod.rs'],
    },
  });
});

describe('Java, Kotlin, Scala, Groovy', () => {
  check({
    'classes by their packages, with what is in them': {
      from: 'src/main/java/com/acme/App.java',
      text: 'package com.acme;\nimport com.acme.util.Text;\nimport static com.acme.util.Math.max;\nimport java.util.List;\n/*\nimport com.acme.No;\n*/',
      files: [
        'src/main/java/com/acme/util/Text.java',
        'src/main/java/com/acme/util/Math.java',
        'src/main/java/com/acme/No.java',
      ],
      imports: ['src/main/java/com/acme/util/Math.java', 'src/main/java/com/acme/util/Text.java'],
    },
    'a package that folders leave out, a function, a wildcard': {
      from: 'app/Main.kt',
      text: 'package com.acme.app\nimport com.acme.app.ui.Screen\nimport com.acme.app.text.cut as c\nimport com.acme.app.net.*\n',
      texts: {
        'app/ui/Screen.kt': 'package com.acme.app.ui\n',
        'app/text/Cut.kt': 'package com.acme.app.text\n',
        'app/text/Join.kt': 'package com.acme.app.text\n',
        'app/net/Http.kt': 'package com.acme.app.net\n',
      },
      imports: ['app/net/Http.kt', ['app/text/Cut.kt', 0.5], ['app/text/Join.kt', 0.5], 'app/ui/Screen.kt'],
    },
    'several names of a package': {
      from: 'src/a/Main.scala',
      text: 'package a\nimport a.b.{C, D => E}\nimport a.f._\n',
      texts: {
        'src/a/b/C.scala': 'package a\npackage b\n',
        'src/a/b/D.scala': 'package a.b',
        'src/a/f/package.scala': 'package a\npackage object f {}\n',
      },
      imports: ['src/a/b/C.scala', 'src/a/b/D.scala', 'src/a/f/package.scala'],
    },
  });
});

describe('C, C++, Objective-C', () => {
  check({
    'beside the file, then by their ends; libraries only with a folder': {
      from: 'lib/vtls/x.c',
      text: '#include "x.h"\n  #  include "../setup.h"\n#include "util.h"\n#include <proj/proj.h>\n#include <stdio.h>\n/* about this\n#include "no.h"\n*/\n// #include "no.h"\n',
      files: [
        'lib/vtls/x.h',
        'lib/x.h',
        'lib/setup.h',
        'src/util.h',
        'include/proj/proj.h',
        'lib/stdio.h',
        'lib/no.h',
      ],
      imports: ['include/proj/proj.h', 'lib/setup.h', 'lib/vtls/x.h', 'src/util.h'],
    },
    'a header, and the source of its name, each by its share': {
      from: 'src/main.c',
      text: '#include "thing.h"\n#include "own.h"\n',
      files: ['include/thing.h', 'src/thing.c', 'src/own.h'],
      imports: [['include/thing.h', 0.5], 'src/own.h', ['src/thing.c', 0.5]],
    },
    'the nearest of a name, none if too many are as near': {
      from: 'a/b/x.cpp',
      text: '#include "config.hpp"\n#import "many.h"\n',
      files: ['a/inc/config.hpp', 'c/config.hpp', ...'cdefg'.split('').map((folder) => `${folder}/many.h`)],
      imports: ['a/inc/config.hpp'],
    },
  });
});

describe('C#', () => {
  check({
    'the files of a namespace': {
      from: 'src/App/Program.cs',
      text: 'using System;\nglobal using Acme.Data;\nusing static Acme.Text.Cut;\nusing var x = Open();\nnamespace Acme.App;\n',
      texts: {
        'src/Data/A.cs': 'namespace Acme.Data;\n',
        'src/Data/B.cs': 'namespace Acme.Data\n{\n}\n',
        'src/Text/Cut.cs': 'namespace Acme.Text { }\n',
      },
      imports: [['src/Data/A.cs', 0.5], ['src/Data/B.cs', 0.5], 'src/Text/Cut.cs'],
    },
  });
});

describe('Ruby', () => {
  check({
    'beside the file, from a library, from the tests': {
      from: 'spec/a_spec.rb',
      text: "require 'spec_helper'\nrequire_relative '../lib/thing/x'\nrequire \"thing\"\nautoload :Y, 'thing/y'\nload './script.rb'\nrequire 'json'\n=begin\nrequire 'thing/no'\n=end\n",
      files: [
        'spec/spec_helper.rb',
        'lib/thing/x.rb',
        'lib/thing.rb',
        'lib/thing/y.rb',
        'spec/script.rb',
        'lib/thing/no.rb',
      ],
      imports: ['lib/thing.rb', 'lib/thing/x.rb', 'lib/thing/y.rb', 'spec/script.rb', 'spec/spec_helper.rb'],
    },
  });
});

describe('PHP', () => {
  check({
    'classes by their namespaces, files by their paths': {
      from: 'src/Http/Kernel.php',
      text: "<?php\nnamespace Acme\\Http;\nuse Acme\\Http\\Routing\\Router;\nuse Acme\\Models\\{User, Post as P};\nuse Acme\\A\\One, Acme\\A\\Two;\nuse Psr\\Log\\LoggerInterface;\nrequire_once __DIR__ . '/../helpers.php';\n",
      files: [
        'src/Http/Routing/Router.php',
        'src/models/User.php',
        'src/models/Post.php',
        'src/A/One.php',
        'src/A/Two.php',
        'src/helpers.php',
      ],
      imports: [
        'src/A/One.php',
        'src/A/Two.php',
        'src/Http/Routing/Router.php',
        'src/helpers.php',
        'src/models/Post.php',
        'src/models/User.php',
      ],
    },
  });
});

describe('other languages', () => {
  check({
    'Swift: the files of a module': {
      from: 'Tests/CoreTests/a.swift',
      text: 'import Foundation\n@testable import Core\n',
      files: ['Sources/Core/a.swift', 'Sources/Core/deep/b.swift', 'Sources/Other/c.swift'],
      imports: [
        ['Sources/Core/a.swift', 0.5],
        ['Sources/Core/deep/b.swift', 0.5],
      ],
    },
    'Elixir: modules by their names in snake case': {
      from: 'lib/my_app_web/router.ex',
      text: '  use MyAppWeb, :router\n  alias MyApp.Accounts.{User, APIKey}\n  import MyApp.HTTPClient, only: [get: 1]\n  # alias MyApp.No\n  @doc """\n  alias MyApp.No\n  """\n',
      files: [
        'lib/my_app_web.ex',
        'lib/my_app/accounts/user.ex',
        'lib/my_app/accounts/api_key.ex',
        'lib/my_app/http_client.ex',
        'lib/my_app/no.ex',
      ],
      imports: [
        'lib/my_app/accounts/api_key.ex',
        'lib/my_app/accounts/user.ex',
        'lib/my_app/http_client.ex',
        'lib/my_app_web.ex',
      ],
    },
    'Lua: modules by their names or paths': {
      from: 'src/main.lua',
      text: 'local a = require("app.a")\nlocal b = require "app/b"\n-- require("app.no")\n--[[\nrequire("app.no")\n]]\n',
      files: ['src/app/a.lua', 'src/app/b/init.lua', 'src/app/no.lua'],
      imports: ['src/app/a.lua', 'src/app/b/init.lua'],
    },
    'Shell: paths behind variables and commands': {
      from: 'bin/run.sh',
      text: `source ./a.sh\n. "$(dirname "$0")/lib/b.sh"\nsource "\${ROOT}/lib/c.sh"\n[ -f x ] && . $HOME/d.sh\n# source ./no.sh\necho . ./no.sh\n`,
      files: ['bin/a.sh', 'bin/lib/b.sh', 'lib/c.sh', 'bin/d.sh', 'bin/no.sh'],
      imports: ['bin/a.sh', 'bin/d.sh', 'bin/lib/b.sh', 'lib/c.sh'],
    },
    'Dart: beside the file, from a package': {
      from: 'app/lib/main.dart',
      text: "import 'src/a.dart';\nexport \"package:app/src/b.dart\" show B;\nimport 'package:other/c.dart' as c;\nimport 'package:flutter/material.dart';\npart 'main.g.dart';\n",
      files: ['app/lib/src/a.dart', 'app/lib/src/b.dart', 'packages/other/lib/c.dart', 'app/lib/main.g.dart'],
      imports: [
        'app/lib/main.g.dart',
        'app/lib/src/a.dart',
        'app/lib/src/b.dart',
        'packages/other/lib/c.dart',
      ],
    },
    'Haskell: modules by their names': {
      from: 'app/Main.hs',
      text: 'import qualified Data.Thing.A as A\nimport Data.Thing.B (x)\nimport Data.Map\n{-\nimport Data.Thing.No\n-}\n-- import Data.Thing.No\n',
      files: ['src/Data/Thing/A.hs', 'src/Data/Thing/B.hs', 'src/Data/Thing/No.hs'],
      imports: ['src/Data/Thing/A.hs', 'src/Data/Thing/B.hs'],
    },
    'Zig: files': {
      from: 'src/main.zig',
      text: 'const std = @import("std");\nconst a = @import("a/b.zig");\n// @import("no.zig")\n',
      files: ['src/a/b.zig', 'src/no.zig'],
      imports: ['src/a/b.zig'],
    },
    'Perl: modules by their names': {
      from: 'bin/run.pl',
      text: 'use strict;\nuse My::Thing qw(x);\nrequire My::Other;\n\n=head1 NAME\n\nuse My::No;\n\n=cut\n',
      files: ['lib/My/Thing.pm', 'lib/My/Other.pm', 'lib/My/No.pm'],
      imports: ['lib/My/Other.pm', 'lib/My/Thing.pm'],
    },
    'R: files': {
      from: 'R/main.R',
      text: 'source("util.R")\n# source("no.R")\nlibrary(dplyr)\n',
      files: ['R/util.R', 'R/no.R'],
      imports: ['R/util.R'],
    },
    'Julia: files': {
      from: 'src/Thing.jl',
      text: 'include("parts/a.jl")\nusing Test\n',
      files: ['src/parts/a.jl'],
      imports: ['src/parts/a.jl'],
    },
  });
});
