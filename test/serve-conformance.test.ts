import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveOverHttp } from './served.ts';
import { conformance } from './servers/mcp-conformance.ts';
import { temporaryFolder } from './wrapped.ts';

/**
 * Scenarios that drive tools, prompts and resources of the suite's own names, made for testing an SDK: a server with a
 * purpose has none of them.
 */
const FIXTURES = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'http-custom-header-server-validation',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-list-roots',
  'input-required-result-basic-sampling',
  'input-required-result-capability-check',
  'input-required-result-missing-input-response',
  'input-required-result-multi-round',
  'input-required-result-multiple-input-requests',
  'input-required-result-non-tool-request',
  'input-required-result-request-state',
  'input-required-result-result-type',
  'input-required-result-tampered-state',
  'input-required-result-validate-input',
  'json-schema-2020-12',
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-with-image',
  'resources-read-binary',
  'resources-read-text',
  'resources-templates-read',
  'tools-call-audio',
  'tools-call-elicitation',
  'tools-call-embedded-resource',
  'tools-call-image',
  'tools-call-mixed-content',
  'tools-call-sampling',
  'tools-call-with-logging',
  'tools-call-with-progress',
];

/** The extension for tasks, which the server doesn't offer: its calls end within what clients wait. */
const isExtension = (scenario: string) => scenario.startsWith('tasks-');

/** Streams that can be taken up again, which revisions recommend and don't ask for. */
const RESUMING = ['server-sse-polling'];

/** Single checks of scenarios that apply otherwise: they call a diagnostic tool of the suite's own. */
const DIAGNOSTIC = [
  'server-stateless sep-2575-server-rejects-undeclared-capability',
  'server-stateless sep-2575-missing-capability-http-400',
];

function applies(check: string): boolean {
  const [scenario = '', id = ''] = check.split(' ');
  return !(
    FIXTURES.includes(scenario) ||
    isExtension(scenario) ||
    RESUMING.includes(scenario) ||
    DIAGNOSTIC.includes(`${scenario} ${id}`)
  );
}

describe.each(['2025-11-25', '2026-07-28'])('%s', { timeout: 120_000 }, (revision) => {
  test('every check that applies to a server with a purpose holds', async () => {
    const address = await serveOverHttp();
    const all = await conformance(address, revision, mkdtempSync(join(temporaryFolder(), 'results-')));
    const checks = all.filter(applies);
    expect(checks.length).toBeGreaterThanOrEqual(30);
    expect(checks.filter((check) => /(FAILURE|WARNING)$/.test(check))).toEqual([]);
  });
});
