/** The server that is killed, and the gateway that counts the messages it sends. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const executable = join(root, 'dist', process.platform === 'win32' ? 'trialbox.exe' : 'trialbox')

/** The executable, or the source if it is not built or asked for. */
export const programFor = (fromSource: boolean): string[] =>
  !fromSource && existsSync(executable) ? [executable] : [process.execPath, join(root, 'src/start/main.ts')]

/** Starts the server on a data directory. Resolves when it accepts requests. @throws if it ends before, with what it wrote */
export async function startServer(program: string[], data: string, gateway: string) {
  const outside = [
    ...['--sms-url', `${gateway}/`, '--sms-body', '{"to":"{to}","text":"{text}","id":"{id}"}'],
    ...['--gift-card-url', `${gateway}/cards`, '--outgoing-networks', '127.0.0.1'],
  ]
  const child = Bun.spawn([...program, 'serve', '--tls', 'off', '--port', '0', '--data', data, ...outside], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const written = new Response(child.stderr).text()
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  const reading = (async () => {
    let text = ''
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      // The log goes on in the same stream: only the banner is kept.
      if (!text.includes('Stop with')) text += piece
      if (text.includes('Stop with')) resolve(text)
    }
    reject(new Error(`The server ended before it was ready: ${text}${await written}`))
  })()
  const banner = await ready
  return {
    url: /listening\s+(\S+)/.exec(banner)![1]!,
    setup: /(http\S+\/setup\/\S+)/.exec(banner)?.[1],
    /** Ends the server; with SIGKILL at once. Returns its exit code and what it wrote to stderr. */
    async stop(signal: 'SIGKILL' | 'SIGTERM') {
      child.kill(signal)
      const code = await child.exited
      await reading.catch(() => {})
      return { code, err: await written }
    },
  }
}

/** The participant whose events are kept. */
export const WEBHOOK_PARTICIPANT = 'W-1'

/** The outside services on this machine: a gateway of SMS, one of gift cards, and a receiver of webhooks. */
export function openGateway() {
  /** How often each message came, by its id. */
  const received = new Map<string, number>()
  /** The code of the card that was sold for each order. */
  const cards = new Map<string, string>()
  /** The values of the pulse of the participant `TOLD` that webhooks sent, in the order in which each came first. */
  const eventValues = new Set<number>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const body = await request.json()
      if (body.data?.participantId === WEBHOOK_PARTICIPANT)
        for (const { value } of body.data.changes) eventValues.add(value)
      if (pathname === '/cards' && !cards.has(body.id)) cards.set(body.id, `CARD-${cards.size}`)
      if (pathname === '/cards') return Response.json({ code: cards.get(body.id) })
      if (pathname === '/') received.set(body.id, (received.get(body.id) ?? 0) + 1)
      return new Response('{}')
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, received, cards, told: eventValues, stop: () => server.stop(true) }
}

export type Gateway = ReturnType<typeof openGateway>

/** `repeat`: the write that a request is part of. Sent again with the same, it is not done twice. */
export type Api = { url: string; key: string; repeat?: string }

/** Sends a request with JSON. @throws an error with the `status` unless it is answered 200; another one if there is no answer */
export async function ask(api: Api, method: string, path: string, body?: unknown, headers: object = {}) {
  const { url, key, repeat } = api
  const repeatable: Record<string, string> =
    repeat !== undefined && method !== 'GET' ? { 'Idempotency-Key': `${repeat} ${method} ${path}` } : {}
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      'Content-Type': 'application/json',
      ...repeatable,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== 200) {
    throw Object.assign(new Error(`${method} ${path}: ${response.status} ${text}`), { status: response.status })
  }
  return { body: JSON.parse(text), headers: response.headers }
}

/** Makes the first account with its set-up link, a session and a key, as a new user does in the browser. */
export async function firstKey(
  url: string,
  setup: string,
): Promise<Api & { team: string; session: Record<string, string> }> {
  const [email, password] = ['olga@example.org', 'correct horse battery']
  const open: Api = { url: '', key: '' }
  await ask(open, 'POST', setup, { email, name: 'Olga', team: 'Research', password })
  const session = await ask(open, 'POST', `${url}/sessions`, { email, password })
  const credentials = {
    Cookie: session.headers.get('set-cookie')!.split(';')[0]!,
    'X-CSRF-Token': session.body.csrfToken,
  }
  const { body } = await ask(open, 'POST', `${url}/users/me/api-keys`, { name: 'kills' }, credentials)
  return { url, key: body.key, team: session.body.user.teams[0]._id, session: credentials }
}
