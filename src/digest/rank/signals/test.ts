import type { Candidate } from '../candidate.ts';
import { WEIGHTS } from '../weights.ts';
import { type Contribution, remembering, type Signal } from './signal.ts';

const TEST_FOLDER =
  /^(.*[-_.])?(tests?|specs?|fixtures?|mocks?|snapshots?|e2e|testdata|testing|testutils?|testlib|testsuite|benches|benchmarks?|bench)([-_.].*)?$|^__(tests|mocks|snapshots|fixtures)__$|^(android|integration|unit)tests?$|^test-?(cases|data|files|resources|helpers?|support)$/;
const isTestFolder = remembering((folder) => TEST_FOLDER.test(folder));

const NAME =
  /^(test|tests|conftest|testing|spec)\.[^.]+$|^tests?[-_]|[-_.](tests?|specs?|snap|stories|bench)\.[^.]+$|[-_.](test|spec|e2e|cy|bench)\.[^.]+\.[^.]+$/;

/** `FooTest.java`, `BarTests.cs`, `BazSpec.scala`, `QuxIT.java`; needs the name's own case. */
const CAMEL = /[a-z0-9](Tests?|TestCase|Spec|IT)\.(java|kt|scala|groovy|cs|fs|swift|php|m|mm|cpp|dart)$/;

/** Whether a file tests the project or feeds its tests. */
export function isTest({ entry, name, folders }: Candidate): boolean {
  for (const folder of folders) if (isTestFolder(folder)) return true;
  return NAME.test(name) || CAMEL.test(entry.path);
}

const TEST: Contribution = { points: WEIGHTS.test, why: 'a test or its fixture' };

/** Tests and their fixtures are many, and say less than what they test. */
export const test: Signal = (file) => (isTest(file) ? TEST : undefined);
