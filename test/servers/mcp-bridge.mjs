// A server on stdio that is played by whoever listens on a socket: `node mcp-bridge.mjs SOCKET`.
import { connect } from 'node:net';

const socket = connect(process.argv[2]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('close', () => process.exit(0));
