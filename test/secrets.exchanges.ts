/** All requests of a person to the study with secrets, and every byte of the responses. */

import { type AnyOperation, callersOf } from '#http/operation'
import { unreadable } from '#kernel/fault'
import { operations } from '#start/app'
import { entriesOf, isZip } from '#writers/unzip'
import type { Person } from './harness'
import { ofTheSite, type SecretStudy, trialSecrets } from './secrets.study'
import { until } from './until'

export const nameOf = (op: AnyOperation) => `${op.method} ${op.path}`
export const whoMay = (op: AnyOperation): readonly string[] => callersOf(op)

/** Every request that reads, in all its variants. */
function readUrls(s: SecretStudy): string[] {
  const { trial, params, diary, response, submitted } = s
  const pathOf = (op: AnyOperation) =>
    op.path.replace(/:(\w+)/g, (_, name: string) => params[`${op.path.split('/')[1]}/${name}`] ?? params[name]!) +
    (s.queries[nameOf(op)] ?? '')
  const base = `/trials/${trial}`
  const secrets = Object.values({ ...trialSecrets.personal, ...trialSecrets.restricted, ...trialSecrets.pii })
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

export type Exchange = { request: string; text: string; body: string }

/** The content of a file: workbooks, Word files and archives are unpacked, and also read without their tags. */
function contentOf(bytes: Uint8Array): string {
  const isPdf = Buffer.from(bytes.subarray(0, 4)).toString() === '%PDF' // a blank form, whose text is compressed
  if (!isZip(bytes)) return isPdf ? '' : Buffer.from(bytes).toString('latin1')
  return entriesOf(bytes, 64 << 20, unreadable)
    .map(({ name, read }) => [name, Buffer.from(read()).toString()])
    .map(([name, text]) => `${name} ${text} ${text!.replace(/<[^>]*>/g, '')}`)
    .join('\n')
}

const LINK = /"(http:\/\/localhost\/storage\/[^"]+)"/g

/** Sends a request, and returns every byte of its response: status, headers, body, and the files of all links in it. */
export async function exchange(
  s: SecretStudy,
  person: Person,
  method: string,
  url: string,
  body?: unknown,
  headers = {},
): Promise<Exchange> {
  const request = new Request(`http://localhost${url}`, {
    method,
    headers: { ...person.credentials, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await s.service.handle(request, '192.0.2.1')
  // In the order of the requests, however fast they are.
  await s.service.services.reads.flush()
  const content = await answer.text()
  let text = `${answer.status} ${JSON.stringify([...answer.headers])} ${content}`
  for (const [, link] of text.matchAll(LINK)) {
    const file = await s.fetch(JSON.parse(`"${link}"`))
    text += `\n${file.status} ${JSON.stringify([...file.headers])} ${contentOf(await file.bytes())}`
  }
  // A refusal may repeat values of its request.
  return { request: `${method} ${url}`, text: text.replaceAll(decodeURIComponent(url), ''), body: content }
}

/** Every request of this person that reads. */
export async function readEverything(s: SecretStudy, person: Person): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (const url of readUrls(s)) exchanges.push(await exchange(s, person, 'GET', url))
  return exchanges
}

/** Every other request of this person, with a valid body and with one that a refusal quotes. */
export async function writeEverything(s: SecretStudy, person: Person): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const list = operations.filter(
    // A person with a link of a participant acts for that participant.
    (op) =>
      op.method !== 'GET' && whoMay(op).some((who) => who !== 'participant') && !op.path.startsWith('/stage-tokens'),
  )
  // What others need is withdrawn, erased and deleted last.
  const endings: readonly ((op: (typeof list)[number]) => boolean)[] = [
    ({ id }) => id === 'withdrawConsent',
    ({ path }) => path.startsWith('/consent-withdrawals/'),
    ({ id }) => id.startsWith('erase'),
    ({ method }) => method === 'DELETE',
  ]
  const rank = (op: (typeof list)[number]) => endings.findLastIndex((isOne) => isOne(op))
  for (const op of list.toSorted((a, b) => rank(a) - rank(b))) {
    const path = op.path.replace(
      /:(\w+)/g,
      (_, name: string) => s.params[`${op.path.split('/')[1]}/${name}`] ?? s.params[name]!,
    )
    const url = path + (s.queries[nameOf(op)] ?? '')
    for (const body of op.body ? [{ nonsense: 1 }, s.bodies[nameOf(op)] ?? {}] : [undefined]) {
      exchanges.push(await exchange(s, person, op.method, url, body))
    }
  }
  exchanges.push(...(await succeed(s, person)))
  exchanges.push(await exchange(s, person, 'PUT', s.at(7), s.body({ open: ofTheSite['open answer'] })))
  exchanges.push(await exchange(s, person, 'PUT', s.at(7), s.body({ hidnumber: 'no number' })))
  exchanges.push(await exchange(s, person, 'PUT', `${s.at(7)}?draft=true`, s.body({ open: 'typed' })))
  return exchanges
}

/** Writes that succeed with the permission to write; in the loop over all operations their objects are hidden or deleted. */
async function succeed(s: SecretStudy, person: Person): Promise<Exchange[]> {
  const { trial, anna, response } = s
  const exchanges: Exchange[] = []
  const ask = async (method: string, url: string, body?: unknown) => {
    const answer = await exchange(s, person, method, url, body)
    exchanges.push(answer)
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
  // Packs of their own, for somebody who is not archived: the loop has lost the pack of the study and archived Anna.
  const pack = async () =>
    (await ask('POST', `/trials/${trial}/packs`, s.bodies['POST /trials/:trialId/packs']))?.packs[0]
  const [given, lost] = [await pack(), await pack()]
  if (given) {
    await ask('PUT', `/trials/${trial}/participants/${s.made.study.bert}/packs/${given._id}`, {})
    await ask('POST', '/packs/events', { ids: [lost._id], type: 'lost', reason: 'Not found.' })
  }
  const started = await ask('POST', `/trials/${trial}/stages?creationType=generateFromAI`, { prompt: 'Name?' })
  if (started) {
    await until(async () => (await person.do('readJob', started.jobId)).status !== 'pending')
    await ask('GET', `/jobs/${started.jobId}`)
  }
  return exchanges
}

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ '': secret }).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  // Without its ends, so that it is found anywhere in a longer text; a part that is too short proves nothing.
  ...[0, 1, 2]
    .map((skip) =>
      Buffer.from(' '.repeat(skip) + secret)
        .toString('base64')
        .slice(4, -4),
    )
    .filter(({ length }) => length >= 8),
]

/** The secrets that occur in responses, with the requests. */
export function disclosed(exchanges: readonly Exchange[], secrets: Record<string, string>): string[] {
  const texts = exchanges.map(({ request, text }) => ({ request, text: text.toLowerCase() }))
  return Object.entries(secrets).flatMap(([what, secret]) => {
    const forms = formsOf(secret).map((form) => form.toLowerCase())
    const by = texts.filter(({ text }) => forms.some((form) => text.includes(form)))
    return by.length ? [`${what} (${secret}) by ${[...new Set(by.map(({ request }) => request))].join(', ')}`] : []
  })
}

/** The entries of a hidden field, as they would occur in a response. */
export const entries = ({ hidden }: SecretStudy) =>
  Object.fromEntries(
    ['hidlikert', 'hidchoice', 'hidfile', 'thrice'].flatMap((code) => [
      [`${code} in a response`, `"${hidden[code]}":{"value"`],
      [`${code} in a history`, `"dataType":"${hidden[code]}","value"`],
      [`${code} in a log`, `"dataType":"${hidden[code]}","before"`],
      [`${code} marked`, `"dataType":"${hidden[code]}","verified`],
    ]),
  )

/** The permissions of a person who may see everything that is not hidden. */
export const words = ['read', 'write', 'readLogs', 'exportData', 'randomise', 'manageWebhooks']
/** The permission that shows each kind of secret. */
export const permissionFor = {
  personal: 'readParticipantPersonalInformation',
  restricted: 'readParticipantStudyDataRestricted',
  pii: 'readParticipantStudyDataPii',
}

/** The responses in a normal form, without differences between any two services: ids and tokens by their first appearance. */
export function normalised(exchanges: readonly Exchange[]): string[] {
  const names = new Map<string, string>()
  const named = (random: string) => {
    if (!names.has(random)) names.set(random, `#${names.size}`)
    return names.get(random)!
  }
  const random = /[0-9a-f]{24,64}|(?<![\w-])[\w-]{43}(?![\w-])/g
  // Sizes of compressed data, times of the machine's clock, secrets of webhooks, how long attempts to reach them took, drawings of links, PINs,
  // and hashes of answers, which have ids and tokens.
  const chance =
    /"content-length","\d+"|"etag","W\/\\"\w+\\""|"qr":"(?:[^"\\]|\\.)*"|"pin":"\d+"|whsec_[\w+/=]+|"duration":\d+,"code"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
  return exchanges.map(({ request, text }) => `${request} ${text}`.replace(chance, '').replace(random, named))
}

/** The first difference of two texts, with its request. */
export function differing(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index])
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
  return `${one.slice(0, 120)}: …${around(one)}… and …${around(other)}…`
}
