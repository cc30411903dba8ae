import { defineConfig } from 'vitest/config';

/** Tests of the built command and of workers; what they need built is built for them alone. */
const COMMAND_TESTS = [
  'test/cli.test.ts',
  'test/cache-cli.test.ts',
  'test/hostile.test.ts',
  'test/github-cli.test.ts',
  'test/github-failures.test.ts',
  'test/remote-kill.test.ts',
  'test/spool-cli.test.ts',
  'test/memory-cli.test.ts',
  'test/memory-damage-cli.test.ts',
  'test/conformance.test.ts',
  'test/bundle.test.ts',
  'test/doctor.test.ts',
  'test/install.test.ts',
  'test/start-up.test.ts',
  'src/digest/outline/outliner.test.ts',
  'test/serve-*.test.ts',
  'test/transcript-*.test.ts',
  'test/wrap-*.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    // Much of the time is spent waiting for processes: a core that is kept free, as by default, has nothing to do.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'library',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: COMMAND_TESTS,
        },
      },
      {
        extends: true,
        test: { name: 'command', include: COMMAND_TESTS, globalSetup: 'test/build.ts' },
      },
    ],
  },
});
