/** Servers on this machine that behave as the documentation of the providers says. */
import { afterEach } from 'bun:test'
import { signatureOf } from '#conduct/wearables/providers/oauth1'
import { challengeOf } from '#conduct/wearables/providers/oauth2'

const servers: { stop(force: boolean): unknown }[] = []
afterEach(() => servers.splice(0).forEach((server) => void server.stop(true)))

export const CLIENT = 'the-client'
export const SECRET = 'the-client-secret'

type ReceivedRequest = {
  method: string
  path: string
  query: Record<string, string>
  form: Record<string, string>
  authorization: string
}
type Reply = Response | object | undefined

/** A server whose replies `answer` gives; undefined is a 404. `answer` may wait. */
function serve(answer: (asked: ReceivedRequest) => Reply | Promise<Reply>) {
  const asked: ReceivedRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const one = {
        method: request.method,
        path: pathname,
        query: Object.fromEntries(searchParams),
        form: Object.fromEntries(new URLSearchParams(await request.text())),
        authorization: request.headers.get('authorization') ?? '',
      }
      asked.push(one)
      const reply = await answer(one)
      if (reply instanceof Response) return reply
      return reply ? Response.json(reply) : new Response('not found', { status: 404 })
    },
  })
  servers.push(server)
  return { url: `http://127.0.0.1:${server.port}`, asked, stop: () => server.stop(true) }
}

type Grant = { access: string; refresh: string; challenge?: string }

/** The endpoints of tokens: codes work once, with the right verifier; refresh tokens work once. */
function tokenServer(proof: 'basic' | 'fields', seconds: number) {
  let count = 0
  const codes = new Map<string, string>()
  const state = {
    valid: undefined as Grant | undefined,
    refreshes: 0,
    revoked: [] as string[],
    refuses: undefined as string | undefined,
    /** Calls for tokens are answered after it. */
    gate: undefined as Promise<void> | undefined,
  }
  const grant = () => {
    count++
    state.valid = { access: `access-${count}`, refresh: `refresh-${count}` }
    const { access: access_token, refresh: refresh_token } = state.valid
    return {
      access_token,
      refresh_token,
      expires_in: seconds,
      token_type: 'Bearer',
      scope: 'activity sleep',
      user_id: 'ABC',
    }
  }
  const refused = (error: string, status = 400) =>
    proof === 'basic'
      ? Response.json({ errors: [{ errorType: error, message: 'no' }], success: false }, { status })
      : Response.json({ error }, { status })
  const isClient = ({ authorization, form }: ReceivedRequest) =>
    proof === 'basic'
      ? authorization === `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`
      : form.client_id === CLIENT && form.client_secret === SECRET
  return {
    state,
    /** A person signs in on the page: returns the code. */
    allow(url: string) {
      const query = new URL(url).searchParams
      if (query.get('code_challenge_method') !== 'S256') throw new Error('The sign-in has no challenge.')
      const code = `code-${codes.size + 1}`
      codes.set(code, query.get('code_challenge')!)
      return { code, state: query.get('state')! }
    },
    async token(asked: ReceivedRequest): Promise<Reply> {
      const { form } = asked
      await state.gate
      if (!isClient(asked)) return refused('invalid_client', 401)
      if (state.refuses) return refused(state.refuses)
      if (form.grant_type === 'authorization_code') {
        const challenge = codes.get(form.code!)
        codes.delete(form.code!)
        return challenge !== undefined && challengeOf(form.code_verifier ?? '') === challenge
          ? grant()
          : refused('invalid_grant')
      }
      if (form.refresh_token !== state.valid?.refresh) return refused('invalid_grant')
      state.refreshes++
      return grant()
    },
    /** The reply to a call without a valid token. */
    guard: ({ authorization }: ReceivedRequest): Response | undefined =>
      authorization === `Bearer ${state.valid?.access}` ? undefined : refused('expired_token', 401),
  }
}

/** What Fitbit has of an account: a value a day, and logs. */
export type FitbitData = { steps: Record<string, number>; sleep: object[]; activities: object[] }

export function fitbitServer(seconds = 28_800) {
  const tokens = tokenServer('basic', seconds)
  const data: FitbitData = { steps: {}, sleep: [], activities: [] }
  /** What it answers next in place of the data, to calls of the interface. */
  const instead: (Response | (() => Promise<Response>))[] = []
  const server = serve(async (asked) => {
    const { path } = asked
    if (path === '/oauth2/token') return tokens.token(asked)
    if (path === '/oauth2/revoke') {
      tokens.state.revoked.push(asked.form.token!)
      return {}
    }
    const next = instead.shift()
    if (next) return typeof next === 'function' ? next() : next
    const refused = tokens.guard(asked)
    if (refused) return refused
    const [, resource, from, to] = /^\/1\/user\/-\/activities\/(\w+)\/date\/([\d-]+)\/([\d-]+)\.json$/.exec(path) ?? []
    if (resource === 'heart')
      return {
        'activities-heart': Object.keys(data.steps).flatMap((dateTime) =>
          dateTime >= from! && dateTime <= to!
            ? [
                {
                  dateTime,
                  value: {
                    restingHeartRate: 60,
                    heartRateZones: [{ name: 'Cardio', minutes: 12, min: 1, max: 2, caloriesOut: 3 }],
                  },
                },
              ]
            : [],
        ),
      }
    if (resource) {
      const list = Object.entries(data.steps).flatMap(([dateTime, value]) =>
        resource === 'steps' && dateTime >= from! && dateTime <= to! ? [{ dateTime, value: `${value}` }] : [],
      )
      return { [`activities-${resource}`]: list }
    }
    if (path.startsWith('/1.2/user/-/sleep/date/')) return { sleep: data.sleep }
    if (path === '/1/user/-/activities/list.json')
      return { activities: data.activities, pagination: { next: 'https://example.org/evil' } }
    return undefined
  })
  const access = {
    client: CLIENT,
    secret: SECRET,
    apiUrl: server.url,
    signInUrl: `${server.url}/oauth2/authorize`,
    tokenUrl: `${server.url}/oauth2`,
  }
  return { ...server, ...tokens, data, instead, access }
}

export function dexcomServer(seconds = 7200) {
  const tokens = tokenServer('fields', seconds)
  const data = { records: [] as object[] }
  const instead: Response[] = []
  const server = serve((asked) => {
    if (asked.path === '/v2/oauth2/token') return tokens.token(asked)
    const next = instead.shift()
    if (next) return next
    const refused = tokens.guard(asked)
    if (refused) return refused
    const { startDate = '', endDate = '' } = asked.query
    if (asked.path !== '/v3/users/self/egvs') return undefined
    if (Date.parse(`${endDate}Z`) - Date.parse(`${startDate}Z`) > 30 * 86_400_000)
      return new Response('', { status: 400 })
    const records = data.records.filter((each) => {
      const time = (each as { systemTime: string }).systemTime
      return time >= startDate && time < endDate
    })
    return { recordType: 'egv', recordVersion: '3.0', userId: 'u', records }
  })
  const access = {
    client: CLIENT,
    secret: SECRET,
    apiUrl: `${server.url}/v3`,
    signInUrl: `${server.url}/v2/oauth2/login`,
    tokenUrl: `${server.url}/v2/oauth2`,
  }
  return { ...server, ...tokens, data, instead, access }
}

/** The fields of an `Authorization: OAuth …` header. */
const oauthFields = (header: string): Record<string, string> =>
  Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, decodeURIComponent(value!)]),
  )

/** Checks the signature of each request, and that no nonce comes twice. */
export function garminServer() {
  const secrets: Record<string, string> = { '': '' }
  const nonces = new Set<string>()
  const state = { wrong: [] as string[], ended: 0, valid: '' }
  const data = { dailies: [] as object[], sleeps: [] as object[], activities: [] as object[] }
  const instead: Response[] = []
  const server = serve((asked) => {
    const { oauth_signature, ...fields } = oauthFields(asked.authorization)
    const { oauth_token: token = '', oauth_nonce = '', oauth_consumer_key } = fields
    const url = `${server.url}${asked.path}?${new URLSearchParams(asked.query)}`
    const tokenSecret = secrets[token]
    const expected =
      tokenSecret === undefined
        ? ''
        : signatureOf(asked.method, url, { ...fields, ...asked.form }, { secret: SECRET, tokenSecret })
    if (expected !== oauth_signature || nonces.has(oauth_nonce) || oauth_consumer_key !== CLIENT) {
      state.wrong.push(asked.path)
      return new Response('', { status: 401 })
    }
    nonces.add(oauth_nonce)
    if (asked.path === '/oauth/request_token') {
      secrets.request = 'request-secret'
      return new Response('oauth_token=request&oauth_token_secret=request-secret')
    }
    if (asked.path === '/oauth/access_token') {
      if (fields.oauth_verifier !== 'the-verifier' || token !== 'request') return new Response('', { status: 401 })
      delete secrets.request
      secrets.granted = 'granted-secret'
      state.valid = 'granted'
      return new Response('oauth_token=granted&oauth_token_secret=granted-secret')
    }
    const next = instead.shift()
    if (next) return next
    if (token !== state.valid) return new Response('', { status: 401 })
    if (asked.path === '/rest/user/registration' && asked.method === 'DELETE') {
      state.ended++
      return new Response(null, { status: 204 })
    }
    const { uploadStartTimeInSeconds: from, uploadEndTimeInSeconds: to } = asked.query
    if (Number(to) - Number(from) > 86_400) return new Response('too long', { status: 400 })
    const list = data[asked.path.slice('/rest/'.length) as keyof typeof data]
    return list?.filter((each) => {
      const { uploadedAt } = each as { uploadedAt: number }
      return uploadedAt >= Number(from) && uploadedAt < Number(to)
    })
  })
  const access = {
    client: CLIENT,
    secret: SECRET,
    apiUrl: `${server.url}/rest`,
    signInUrl: `${server.url}/oauthConfirm`,
    tokenUrl: `${server.url}/oauth`,
  }
  return { ...server, state, data, instead, access }
}
