/** What the server does with entries, as far as a device sees it: each is stored once, refused, or held. */
import type { Pending } from './machine'

/** What becomes of a request on the line. */
export type Outcome =
  /** As it should be. */
  | { kind: 'served' }
  /** The connection breaks before the request arrives, or before its answer does. */
  | { kind: 'cut'; hasArrived: boolean }
  /** Somebody else answers, such as the page of a hotel. */
  | { kind: 'portal'; status: number }
  /** The server has other troubles. */
  | { kind: 'busy'; status: number }
  /** The study does not take the answers. Other requests are served. */
  | { kind: 'refused'; status: number; hasFields: boolean }
  /** The session has ended. */
  | { kind: 'ended' }

type Answers = Record<string, { value: unknown }>
type StoredEntry = { id: string; by: string; occurrence: string; response: Answers; isFromStaff: boolean }
type HeldEntry = { id: string; by: string; response: Answers; status: 'held' | 'accepted' }
type Body = Record<string, unknown>
type ServerResponse = { status: number; body: Body }

const respond = (status: number, body: Body = {}): ServerResponse => ({ status, body })
const refusal = (status: number, details: Body = {}): ServerResponse => respond(status, { message: 'No.', details })

/** A server with these participants of one trial. */
export function fakeServer() {
  const sessions = new Map<string, string>()
  const stored: StoredEntry[] = []
  const held: HeldEntry[] = []
  /** Of an entry that the study does not take: a copy that arrives later is refused as well. */
  const refusals = new Map<string, ServerResponse>()
  const files = new Map<string, Blob>()
  const faults: string[] = []
  let last = 0

  function submit(by: string, { path, headers, body }: Pending, outcome: Outcome): ServerResponse {
    const id = headers['Idempotency-Key'] ?? ''
    const response = JSON.parse(String(body))
    const before = stored.find((each) => each.id === id)
    if (before) {
      if (JSON.stringify(before.response) !== JSON.stringify(response)) faults.push(`${id} was sent with other answers`)
      return before.isFromStaff ? refusal(400, { code: 'repeatedEntry' }) : respond(200)
    }
    if (outcome.kind === 'refused' && !refusals.has(id)) {
      const details = outcome.hasFields ? { problems: { f: { code: 'required', params: {}, text: 'No.' } } } : {}
      refusals.set(id, refusal(outcome.status, details))
    }
    const refused = refusals.get(id)
    if (refused) return refused
    const occurrence = decodeURIComponent(/stages\/([^/]+)\//.exec(path)?.[1] ?? '')
    stored.push({ id, by, occurrence, response, isFromStaff: false })
    return respond(200, { postSubmissionText: null, onScreenMessages: [] })
  }
  function hold(by: string, body: { entry: string; response: Answers }): ServerResponse {
    const { entry: id, response } = body
    if (stored.some((each) => each.id === id)) return refusal(400, { code: 'repeatedEntry' })
    if (!held.some((each) => each.id === id)) held.push({ id, by, response, status: 'held' })
    return respond(200)
  }
  function act(pending: Pending, outcome: Outcome): ServerResponse {
    const { method, path, headers, body } = pending
    const route = `${method} ${path.replace(/\?.*/, '').replace(/(stages|storage)\/[^/]+/, '$1')}`
    if (route === 'PUT /storage') {
      const fileName = /storage\/([^?]+)/.exec(path)?.[1] ?? ''
      files.set(fileName, body as Blob)
      return respond(200, { fileName })
    }
    if (route === 'POST /participants/sessions') {
      const token = `session ${++last}`
      sessions.set(token, JSON.parse(String(body)).participantId)
      return respond(200, { token })
    }
    const token = (headers.Authorization ?? '').replace('Bearer ', '')
    const by = sessions.get(token)
    if (by === undefined) return refusal(401)
    if (route === 'GET /participants/me') return respond(200, { participant: { _id: by, id: by }, trial: { _id: 'T' } })
    if (route === 'GET /participants/held')
      return respond(200, {
        heldEntries: held.flatMap(({ id: entry, status, by: who }) => (who === by ? { entry, status } : [])),
      })
    if (route === 'POST /participants/held') return hold(by, JSON.parse(String(body)))
    if (route === 'GET /uploads/file/request') {
      const fileName = `stored-${++last}`
      return respond(200, { fileName, signedRequestURL: `http://elsewhere.test/storage/${fileName}?signed=1` })
    }
    if (route === 'DELETE /participants/sessions') {
      sessions.delete(token)
      return respond(200)
    }
    return submit(by, pending, outcome)
  }
  function endSessions(of: string): void {
    for (const [token, by] of sessions) if (by === of) sessions.delete(token)
  }

  return {
    ...{ stored, held, files, faults, endSessions },
    /** Staff enter a held entry. */
    accept(index: number): void {
      const open = held.filter(({ status }) => status === 'held')
      const entry = open[index % open.length]
      if (!entry || stored.some(({ id }) => id === entry.id)) return
      entry.status = 'accepted'
      stored.push({ ...entry, occurrence: '', isFromStaff: true })
    },
    /** Lets this happen to a request. */
    answer(pending: Pending, outcome: Outcome): void {
      const { kind } = outcome
      if (kind === 'cut') {
        if (outcome.hasArrived) act(pending, outcome)
        pending.fail()
        return
      }
      if (kind === 'portal' || kind === 'busy') {
        const { status } = outcome
        const isPage = kind === 'portal'
        pending.answer(
          isPage ? new Response('<p>Log in!</p>', { status }) : Response.json({ message: 'Later.' }, { status }),
        )
        return
      }
      if (kind === 'ended') {
        const by = sessions.get((pending.headers.Authorization ?? '').replace('Bearer ', ''))
        if (by !== undefined) endSessions(by)
      }
      const { status, body } = act(pending, outcome)
      pending.answer(Response.json(body, { status }))
    },
  }
}

export type FakeServer = ReturnType<typeof fakeServer>
