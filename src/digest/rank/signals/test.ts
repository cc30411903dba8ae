import type { Candidate } from '../candidate.ts';
import { isCode } from '../code.ts';
import { WEIGHTS } from '../weights.ts';
import { type Contribution, remembering, type Signal } from './signal.ts';

const TEST_FOLDER =
  /^(.*[-_.])?(tests?|fixtures?|mocks?|snapshots?|e2e|testdata|testing|testutils?|testlib|testsuite|benches|benchmarks?|bench)$|^__(tests|mocks|snapshots|fixtures)__$|^(android|integration|unit)tests?$|^tests?[-_.]?(cases|data|files|resources|helpers?|support|fixtures?|utils?|suite)$/;
const isTestFolder = remembering((folder) => TEST_FOLDER.test(folder));

const NAME =
  /^(test|tests|conftest|spec)\.[^.]+$|^tests?[-_]|[-_.](tests?|specs?|snap|stories|bench)\.[^.]+$|[-_.](test|spec|e2e|cy|bench)\.[^.]+\.[^.]+$/;

/** `FooTest.java`, `BarTests.cs`, `BazSpec.scala`, `QuxIT.java`; needs the name's own case. */
const CAMEL = /[a-z0-9](Tests?|TestCase|Spec|IT)\.(java|kt|scala|groovy|cs|fs|swift|php|m|mm|cpp|dart)$/;

/** `spec` also names specifications, so that it says something of code alone. */
const SPEC_FOLDER = /^(.*[-_.])?specs?$/;
const isSpecFolder = remembering((folder) => SPEC_FOLDER.test(folder));

/** Whether a file tests the project or feeds its tests. */
export function isTest({ entry, name, folders, language }: Candidate): boolean {
  for (const folder of folders) if (isTestFolder(folder)) return true;
  if (!isCode(language)) return name.endsWith('.snap');
  return NAME.test(name) || CAMEL.test(entry.path) || folders.some(isSpecFolder);
}

const TEST: Contribution = { points: WEIGHTS.test, why: 'a test or its fixture' };

/** Tests and their fixtures are many, and say less than what they test. */
export const test: Signal = (file) => (isTest(file) ? TEST : undefined);
