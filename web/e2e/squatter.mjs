/**
 * Takes a port in the moment that it is free, and answers all with what helps it most. A process of its own, so that nothing else
 * keeps it from asking for the port again and again:
 *
 *   node squatter.mjs PORT CHALLENGES
 *
 * CHALLENGES is a JSON list of what it answers to a page that asks for a proof. To its parent it says {tries} once it has
 * been refused the port, {taken, gap} once it has it, both in milliseconds, and {knock} for each request.
 */
import { createServer } from "node:http";
import { extname } from "node:path";

const [port, challenges] = [Number(process.argv[2]), JSON.parse(process.argv[3])];
const now = () => performance.timeOrigin + performance.now();
const server = createServer();
let knocks = 0;

server.on("request", (request, response) => {
  const body = [];
  request.on("data", (part) => body.push(part)).on("end", () => {
    const path = new URL(request.url, "http://x").pathname;
    knocks++;
    process.send({ knock: { path, text: [request.method, request.url, ...request.rawHeaders, Buffer.concat(body).toString("latin1")].join("\n") } });
    const json = path.startsWith("/api/");
    response.setHeader("Content-Type", json ? "application/json" : extname(path) === ".js" ? "text/javascript" : "application/wasm");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.end(json ? challenges[knocks % challenges.length] : `new BroadcastChannel("squatter").postMessage("ran");`);
  });
});
// A page that opened its socket here would show its proof.
server.on("upgrade", (request, socket) => {
  process.send({ knock: { path: "upgrade", text: request.rawHeaders.join("\n") } });
  socket.destroy();
});

let refused = 0;
let tries = 0;
function take() {
  tries++;
  server.listen(port, "127.0.0.1");
}
server.on("error", () => {
  refused = now();
  if (tries === 1) process.send({ tries });
  setImmediate(take);
});
server.on("listening", () => {
  const taken = now();
  process.send({ taken, gap: taken - refused });
});
process.on("disconnect", () => process.exit());
take();
