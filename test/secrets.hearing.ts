/** Everything that a person can ask of the study full of secrets, and every byte that comes back. */
import { operations } from '#app'
import { type AnyOperation, callersOf } from '#http/operation'
import { entriesOf, isZip } from '#writers/unzip'
import type { Person } from './harness'
import { ofTheSite, type Planted, planted } from './secrets.study'
import { until } from './storage/shelf'

export const nameOf = (op: AnyOperation) => `${op.method} ${op.path}`
export const whoMay = (op: AnyOperation): readonly string[] => callersOf(op)

/** Every request that reads, with all its forms. */
function readings(s: Planted): string[] {
  const { trial, params, diary, response, submitted } = s
  const pathOf = (op: AnyOperation) =>
    op.path.replace(/:(\w+)/g, (_, name: string) => params[`${op.path.split('/')[1]}/${name}`] ?? params[name]!) +
    (s.queries[nameOf(op)] ?? '')
  const base = `/trials/${trial}`
  const secrets = Object.values({ ...planted.personal, ...planted.restricted, ...planted.pii })
  return [
    ...operations.filter((op) => op.method === 'GET').map(pathOf),
    `/stages/${diary}?format=docx&response=${response}`,
    `/stages/${diary}?format=pdf`,
    ...['user', 'participant', 'system'].flatMap((type) =>
      [1, 2, 3, 4].map((page) => `${base}/logs?userType=${type}&page=${page}`),
    ),
    ...['user', 'participant', 'system'].map((type) => `${base}/logs?userType=${type}&format=csv`),
    ...['json', 'raw', 'csv', 'excel'].map((type) => `${base}/responses?type=${type}`),
    ...[diary, s.stage].flatMap((stage) => [
      `${base}/stages/${stage}/responses`,
      `${base}/stages/${stage}/responses?type=csv`,
    ]),
    ...[response, submitted].flatMap((id) => [`${base}/responses/${id}`, `${base}/responses/${id}/history`]),
    `${base}/participants?format=csv`,
    ...secrets.map((term) => `${base}/participants?term=${encodeURIComponent(term)}`),
    ...['open', 'answered', 'closed'].map((status) => `${base}/queries?status=${status}`),
    ...['participantId', 'responseId', 'queryId', 'stageId', 'dataTypeId', 'siteId'].flatMap((name) =>
      operations
        .filter((op) => op.method === 'GET' && op.path.includes(`:${name}`))
        .map((op) => pathOf(op).replace(params[name]!, 'f'.repeat(24))),
    ),
  ]
}

export type Heard = { request: string; text: string; body: string }

/** What a file holds: workbooks, Word files and archives are unpacked, and read without their tags too. */
function contentOf(bytes: Uint8Array): string {
  const isPdf = Buffer.from(bytes.subarray(0, 4)).toString() === '%PDF' // a blank form, and what it says is packed
  if (!isZip(bytes)) return isPdf ? '' : Buffer.from(bytes).toString('latin1')
  return entriesOf(bytes, 64 << 20, Error)
    .map(({ name, read }) => [name, Buffer.from(read()).toString()])
    .map(([name, text]) => `${name} ${text} ${text!.replace(/<[^>]*>/g, '')}`)
    .join('\n')
}

const LINK = /"(http:\/\/localhost\/storage\/[^"]+)"/g

/** Asks, and gives every byte that came back: status line, headers, body, and what lies behind every link in it. */
export async function hear(
  s: Planted,
  person: Person,
  method: string,
  url: string,
  body?: unknown,
  headers = {},
): Promise<Heard> {
  const request = new Request(`http://localhost${url}`, {
    method,
    headers: { ...person.credentials, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await s.service.handle(request, '192.0.2.1')
  const content = await answer.text()
  let text = `${answer.status} ${JSON.stringify([...answer.headers])} ${content}`
  for (const [, link] of text.matchAll(LINK)) {
    const file = await s.fetch(JSON.parse(`"${link}"`))
    text += `\n${file.status} ${JSON.stringify([...file.headers])} ${contentOf(await file.bytes())}`
  }
  // What was asked for may be named in the refusal.
  return { request: `${method} ${url}`, text: text.replaceAll(decodeURIComponent(url), ''), body: content }
}

export async function hearAll(s: Planted, person: Person): Promise<Heard[]> {
  const heard: Heard[] = []
  for (const url of readings(s)) heard.push(await hear(s, person, 'GET', url))
  return heard
}

/** Everything else that this person may do, with a good body and with one that is quoted in a refusal. */
export async function doAll(s: Planted, person: Person): Promise<Heard[]> {
  const heard: Heard[] = []
  const list = operations.filter(
    // Whoever holds a link of one participant speaks for them.
    (op) =>
      op.method !== 'GET' && whoMay(op).some((who) => who !== 'participant') && !op.path.startsWith('/stage-tokens'),
  )
  for (const op of list) {
    const path = op.path.replace(
      /:(\w+)/g,
      (_, name: string) => s.params[`${op.path.split('/')[1]}/${name}`] ?? s.params[name]!,
    )
    const url = path + (s.queries[nameOf(op)] ?? '')
    for (const body of op.body ? [{ nonsense: 1 }, s.bodies[nameOf(op)] ?? {}] : [undefined]) {
      heard.push(await hear(s, person, op.method, url, body))
    }
  }
  heard.push(...(await succeed(s, person)))
  heard.push(await hear(s, person, 'PUT', s.at(7), s.body({ open: ofTheSite['open answer'] })))
  heard.push(await hear(s, person, 'PUT', s.at(7), s.body({ hidnumber: 'no number' })))
  heard.push(await hear(s, person, 'PUT', `${s.at(7)}?draft=true`, s.body({ open: 'typed' })))
  return heard
}

/** What goes well for who may write, where the loop over all operations asks for something that is hidden or gone. */
async function succeed(s: Planted, person: Person): Promise<Heard[]> {
  const { trial, anna, response } = s
  const heard: Heard[] = []
  const ask = async (method: string, url: string, body?: unknown) => {
    const answer = await hear(s, person, method, url, body)
    heard.push(answer)
    return answer.text.startsWith('200') ? JSON.parse(answer.body) : undefined
  }
  const raised = await ask('POST', `/trials/${trial}/queries`, { response, dataType: s.hidden.open, text: 'Sure?' })
  if (raised) {
    await ask('POST', `/queries/${raised._id}/messages`, { text: 'Quite.' })
    await ask('PUT', `/queries/${raised._id}`, { assignees: [] })
    await ask('GET', `/queries/${raised._id}`)
  }
  for (const kind of ['file', 'video']) {
    const file = { name: 'a.mp4', size: '3', type: 'video/mp4', forType: 'participant', forId: anna }
    await ask('GET', `/uploads/${kind}/request?${new URLSearchParams(file)}`)
  }
  await ask('PUT', `${s.at(7)}?draft=true`, s.body({ open: 'typed' }))
  await ask('GET', `/trials/${trial}/participants/${anna}/responses`)
  await ask('DELETE', `${s.at(7).replace('/responses/', '/draftResponses/')}`)
  const started = await ask('POST', `/trials/${trial}/stages?creationType=generateFromAI`, { prompt: 'Name?' })
  if (started) {
    await until(async () => (await person.get(`/jobs/${started.jobId}`)).status !== 'pending')
    await ask('GET', `/jobs/${started.jobId}`)
  }
  return heard
}

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ '': secret }).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  // Without its ends, so that it is found at whatever place of a longer text it stands; too little is no sign of it.
  ...[0, 1, 2]
    .map((skip) =>
      Buffer.from(' '.repeat(skip) + secret)
        .toString('base64')
        .slice(4, -4),
    )
    .filter(({ length }) => length >= 8),
]

/** Which of these secrets were told, and by what. */
export function told(heard: readonly Heard[], secrets: Record<string, string>): string[] {
  const texts = heard.map(({ request, text }) => ({ request, text: text.toLowerCase() }))
  return Object.entries(secrets).flatMap(([what, secret]) => {
    const forms = formsOf(secret).map((form) => form.toLowerCase())
    const by = texts.filter(({ text }) => forms.some((form) => text.includes(form)))
    return by.length ? [`${what} (${secret}) by ${[...new Set(by.map(({ request }) => request))].join(', ')}`] : []
  })
}

/** What each entry of a hidden field would look like. */
export const entries = ({ hidden }: Planted) =>
  Object.fromEntries(
    ['hidlikert', 'hidchoice', 'hidfile', 'thrice'].flatMap((code) => [
      [`${code} in a response`, `"${hidden[code]}":{"value"`],
      [`${code} in a history`, `"dataType":"${hidden[code]}","value"`],
      [`${code} in a log`, `"dataType":"${hidden[code]}","before"`],
      [`${code} marked`, `"dataType":"${hidden[code]}","verified`],
    ]),
  )

/** What somebody may do who is told of everything but what is hidden. */
export const words = ['read', 'write', 'readLogs', 'exportData']
/** What opens each kind of secret. */
export const seeing = {
  personal: 'readParticipantPersonalInformation',
  restricted: 'readParticipantStudyDataRestricted',
  pii: 'readParticipantStudyDataPii',
}
