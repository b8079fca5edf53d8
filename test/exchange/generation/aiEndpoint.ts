/** An AI endpoint of this machine, for tests. */
import { afterEach } from 'bun:test'

const servers: { stop(force: boolean): unknown }[] = []
afterEach(() => servers.splice(0).forEach((server) => void server.stop(true)))

/** An endpoint that gives these replies one after the other. */
export function aiEndpoint(...answers: (unknown | Response)[]) {
  const asked: { headers: Headers; body: { model: string; messages: { role: string; content: string }[] } }[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      asked.push({ headers: request.headers, body: (await request.json()) as never })
      const answer = answers[asked.length - 1]
      if (answer === undefined) return new Promise<Response>(() => {})
      if (answer instanceof Response) return answer
      return Response.json({ choices: [{ message: { content: JSON.stringify(answer) } }] })
    },
  })
  servers.push(server)
  return { url: `http://localhost:${server.port}/v1/`, asked }
}
