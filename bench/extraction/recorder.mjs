import http from 'node:http';

/** A server that hands everything on to another one, and keeps what it was asked. */
export async function recorder(target) {
  const to = new URL(target);
  const bodies = [];
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    bodies.push(body.toString());
    const { hostname, port } = to;
    const headers = { ...request.headers, host: to.host };
    const onward = http.request({ hostname, port, path: request.url, method: request.method, headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    asked: () => bodies,
    forget: () => {
      bodies.length = 0;
    },
    close: () => server.close(),
  };
}
