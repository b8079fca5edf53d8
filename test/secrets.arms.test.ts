/**
 * Concealment: no byte that a blinded person gets shows an arm. Every operation is called by people with different permissions; what
 * they get is searched, and compared with what they get when the arms are exchanged.
 */
import { expect, test } from 'bun:test'
import { extractText } from 'unpdf'
import { keys } from '#access/keys'
import { downloaded, ended, partsOf } from './exchange/studyRecord/archive'
import type { Person } from './harness'
import { present } from './present'
import { isProof, ofToday, proof } from './proof'
import { type ArmStudy, armSecrets, armStudy, armUrls, armWrites } from './secrets.arms.study'
import {
  differing,
  disclosed,
  type Exchange,
  exchange,
  normalised,
  permissionFor,
  readEverything,
  words,
  writeEverything,
} from './secrets.exchanges'

/** Every key but those that show arms. */
const blindKeys = keys.filter((key) => key !== 'admin' && key !== 'readRandomisation')

const on = (scope: 'trial' | 'site' | 'group', own: readonly string[]) => (s: ArmStudy) =>
  s.staff(
    s.trial,
    own.map((key) => `${scope}.${key}`),
    s[scope],
  )

/** An admin, in a trial whose admins are blinded: set as it is stored, since it is too late after the sealing. */
function blindedAdmin(s: ArmStudy): Person {
  s.db.$client.run(`UPDATE trials SET settings = json_set(settings, '$.blindsAdmins', json('true')) WHERE _id = ?`, [
    s.trial,
  ])
  return on('trial', ['admin'])(s)
}

const people: [string, (s: ArmStudy) => Person][] = [
  ['who holds every key but admin and readRandomisation', on('trial', blindKeys)],
  ['who administers a trial that blinds its admins', blindedAdmin],
  ['who administers a site', on('site', ['admin'])],
  ['who administers a group', on('group', ['admin'])],
  ['who randomises only', on('trial', ['randomise'])],
  ['who dispenses only', on('site', ['dispense'])],
  ['who reads the log only', on('trial', ['readLogs'])],
  ['who takes part', ({ itself }) => itself],
]

/** Every request of this person; what is about arms also after the writes. */
async function everythingOf(s: ArmStudy, person: Person): Promise<Exchange[]> {
  const exchanges = await readEverything(s, person)
  const readArms = async () => {
    for (const url of armUrls(s)) exchanges.push(await exchange(s, person, 'GET', url))
  }
  await readArms()
  for (const [method, url, body] of armWrites(s)) {
    const { request, ...answer } = await exchange(s, person, method, url, body)
    exchanges.push({ ...answer, request: `${request} ${JSON.stringify(body)}` })
  }
  exchanges.push(...(await writeEverything(s, person)))
  await readArms()
  return exchanges
}

const idsOf = ({ arms }: ArmStudy) =>
  Object.fromEntries(
    arms.flatMap(({ group, packType }, n) => [
      [`group ${n}`, group],
      [`pack type ${n}`, packType],
    ]),
  )

/** The exchanges without the `_id`s that their requests name, which answers may repeat. */
const answersOf = (exchanges: readonly Exchange[], ids: readonly string[]): Exchange[] =>
  exchanges.map((each) => ({
    ...each,
    text: ids.reduce((text, id) => (each.request.includes(id) ? text.replaceAll(id, '') : text), each.text),
  }))

test('who may see arms gets each of the secrets, so that the search below can fail', async () => {
  const s = await armStudy()
  const exchanges = await readEverything(s, s.owner)
  for (const url of armUrls(s)) exchanges.push(await exchange(s, s.owner, 'GET', url))
  const secrets = { ...armSecrets, ...idsOf(s) }
  expect(Object.entries(secrets).filter(([what, secret]) => !disclosed(exchanges, { [what]: secret }).length)).toEqual(
    [],
  )
}, 180_000)

test.each(ofToday(people))(
  'a person %s gets no arm, no pack type and no list',
  async (_, person) => {
    const s = await armStudy()
    const exchanges = await everythingOf(s, person(s))
    const ids = idsOf(s)
    const { 'key of an extended field': key, ...secrets } = armSecrets
    expect(exchanges.filter(({ text }) => text.startsWith('500'))).toEqual([])
    expect(disclosed(exchanges, secrets)).toEqual([])
    expect(disclosed(answersOf(exchanges, Object.values(ids)), ids)).toEqual([])
    // The key of the field was sent by the person in a request, whose refusal may name it.
    expect(
      disclosed(
        exchanges.filter(({ request }) => request.startsWith('GET')),
        { key },
      ),
    ).toEqual([])
    expect(exchanges.filter(({ text }) => text.startsWith('200')).length).toBeGreaterThan(3)
  },
  180_000,
)

test('who holds every other key allocates, and still sees no arm', async () => {
  const s = await armStudy()
  const blind = on('trial', blindKeys)(s)
  const answer = await exchange(s, blind, 'POST', `/randomisations/${s.randomisation}/allocations`, {
    participant: s.carl,
  })
  expect(answer.text).toStartWith('200')
  expect(Object.keys(JSON.parse(answer.body)).sort()).toEqual([
    ...['_id', 'createdAt', 'createdBy', 'number', 'pack', 'participant', 'participantId', 'randomisation', 'site'],
    'unblindedAt',
  ])
  const given = await exchange(s, blind, 'POST', `/randomisations/${s.randomisation}/dispensations`, {
    ...{ participant: s.carl, doseLevel: 'high' },
  })
  expect(given.text).toStartWith('200')
  expect(Object.keys(JSON.parse(given.body)).sort()).toEqual([
    ...['_id', 'createdAt', 'createdBy', 'doseLevel', 'number', 'packs', 'participant', 'participantId', 'quantity'],
    ...['randomisation', 'reason', 'replaces', 'site'],
  ])
  expect(Object.keys(JSON.parse(given.body).packs[0]).sort()).toEqual(['_id', 'name'])
  const { body } = await exchange(s, blind, 'GET', `/randomisations/${s.randomisation}`)
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(
    [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'name', 'status', 'method', 'isBlinded', 'commitment', 'sealedAt'],
      ...[
        'sealedBy',
        'closedAt',
        'unblindedAt',
        'unblindingRecipients',
        'eligibility',
        'doseLevels',
        'requiresConsent',
      ],
    ].sort(),
  )
})

test('no message and no report on a person names an arm', async () => {
  const s = await armStudy()
  const mails = s.db.$client.query('SELECT * FROM outbox').all()
  expect(JSON.stringify(mails)).toContain('was unblinded')
  const { jobId } = await s.owner.do('exportPersonalData', s.trial, s.bert)
  const { result } = await ended(s.owner, jobId)
  const report = `${partsOf(await downloaded(s, present(result).request as string)).get('report.json')}`
  expect(report).toContain('"allocations"')
  const secrets = [...Object.values(armSecrets), ...Object.values(idsOf(s))]
  for (const secret of secrets) for (const text of [JSON.stringify(mails), report]) expect(text).not.toContain(secret)
})

proof('the accountability log as PDF names the types for who sees arms only', async () => {
  const s = await armStudy()
  const printed = async (person: Person) => {
    const { request } = await person.do('readPackAccountability', s.trial, { format: 'pdf' })
    const { text } = await extractText(new Uint8Array(await (await s.fetch(request)).bytes()), { mergePages: true })
    return text
  }
  const open = await printed(s.owner)
  const concealed = await printed(on('trial', blindKeys)(s))
  for (const pack of ['K-100', 'K-131']) expect(concealed).toContain(pack)
  expect(concealed).toContain('Type concealed')
  expect(open).toContain(armSecrets['pack type'])
  for (const secret of Object.values(armSecrets)) expect(concealed).not.toContain(secret)
})

const callers: [string, (s: ArmStudy) => Person][] = [
  [
    'who reads, writes, randomises, dispenses and reads the log',
    on('trial', [...words, 'dispense', ...Object.values(permissionFor)]),
  ],
  ['who takes part', ({ itself }) => itself],
]

test.skipIf(!isProof).each(callers)(
  'a person %s gets the same bytes whichever arm participants have',
  async (_, person) => {
    const answers = async (order: Parameters<typeof armStudy>[0]) => {
      const s = await armStudy(order)
      const somebody = person(s)
      await exchange(s, somebody, 'GET', `/trials/${s.trial}`)
      await s.service.services.commit(() => {})
      return normalised(await everythingOf(s, somebody)).map((text) => text.replaceAll(s.commitment ?? '', ''))
    }
    const [one, other] = [await answers(['verum', 'sham']), await answers(['sham', 'verum'])]
    expect(one.flatMap((text, at) => (text === other[at] ? [] : [differing(text, other[at]!)]))).toEqual([])
  },
  180_000,
)
