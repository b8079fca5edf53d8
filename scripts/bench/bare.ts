/**
 * The floor of start, upload and download: an executable that responds, stores a file and returns it, and does nothing else.
 * Prints its port.
 */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: 8 * 1024 ** 3,
  async fetch(request) {
    if (request.method === 'PUT') await Bun.write(process.argv[2]!, new Response(request.body))
    else if (request.url.endsWith('/target')) return new Response(Bun.file(process.argv[2]!))
    return Response.json({ status: 'ok' })
  },
})
console.log(`listening  http://127.0.0.1:${server.port}`)
