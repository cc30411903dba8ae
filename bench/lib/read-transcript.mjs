// Reads a transcript: `node bench/lib/read-transcript.mjs PATH`.
const { readTranscript } = await import('../../dist/transcript/transcript.js');
const reading = await readTranscript(process.argv[2]);
const counts = {};
for await (const { role } of reading.turns()) counts[role] = (counts[role] ?? 0) + 1;
const leftOut = reading.leftOut().reduce((sum, { count }) => sum + count, 0);
console.log(JSON.stringify({ format: reading.format, turns: counts, leftOut }));
