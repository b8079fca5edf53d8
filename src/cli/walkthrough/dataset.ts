/** Downloads the locked dataset, opens it as any reader would, and compares it with what was sent. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fault } from '#kernel/fault'
import { notArchived } from './enrolment'
import { compareRows, exportedEntries, type Row, rowsOf } from './exports'
import type { Study } from './model'
import { type StageKey, stageTitle } from './record'
import { expectedMessages } from './threads'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** Checks the newest locked dataset. @returns how many responses are in it. @throws a fault at the first difference */
export async function checkDataset(study: Study): Promise<number> {
  const { owner, checks, record } = study
  const dataset = await newestDataset(study)
  const file = await owner.download(dataset.request)
  checks.equal('the SHA-256 of the locked dataset', sha256(file), dataset.sha256)
  const parts = await partsOf(file)
  const manifest = `${parts.get('MANIFEST')}`.trimEnd().split('\n')
  const hashes = [...parts]
    .filter(([name]) => !['MANIFEST', 'SIGNATURE.json'].includes(name))
    .map(([name, bytes]) => `${sha256(bytes)}  ${name}`)
  checks.equal('its MANIFEST', manifest.sort(), hashes.sort())

  const table = (name: string): Promise<Row[]> => rowsOf(`${parts.get(name) ?? ''}`)
  const all = exportedEntries(study)
  let locked = 0
  for (const stage of ['enrolment', 'phq9', 'gad7', 'adverse'] as const satisfies StageKey[]) {
    const name = `data/${stageTitle[stage](0).replace(/1$/, '%n')}.csv`
    const entries = all.filter((entry) => entry.stage === stage)
    compareRows(study, `the locked ${name}`, await table(name), entries, [])
    locked += entries.length
  }
  const people = (await table('participants.csv')).map((row) => `${row.participantId} ${row.email} ${row.phone}`)
  const expectedPeople = notArchived(study).map(
    ({ person: { participantId: id, email = '', phone = '' } }) => `${id} ${email} ${phone}`,
  )
  checks.equal('its participants', people.sort(), expectedPeople.sort())
  const messages = (await table('messages.csv')).filter(({ type }) => type === 'message')
  const written = messages.map(({ participantId, message }) => `${participantId}: ${message}`)
  checks.equal('its messages', written.sort(), expectedMessages(study).sort())
  const trail = await table('audit-trail.csv')
  const submitted = trail.filter(({ type }) => type === 'submitResponse').length
  const { user, participant } = record.submissions
  checks.equal('the submissions in its audit trail', submitted, user + participant)
  checks.equal('the end of its audit trail', trail.at(-1)!.type, 'lockDatabase')
  const { counts } = dataset
  checks.equal('its counts', [counts.responses, counts.participants], [all.length, notArchived(study).length])
  return locked
}

/** Waits for the locked dataset. @throws a fault if it is not written within a minute */
async function newestDataset({ owner, trial }: Study) {
  for (let turn = 0; turn < 3000; turn++) {
    const { datasets } = await owner.get(`/trials/${trial._id}/locked-datasets`)
    if (datasets[0]?.status === 'done') return datasets[0]
    if (datasets[0]?.status === 'error') throw fault(`The locked dataset could not be made: ${datasets[0].error}`)
    await wait(20)
  }
  throw fault('The locked dataset was not made within a minute.')
}

/** The files of a zip archive by name. */
async function partsOf(zip: Uint8Array): Promise<Map<string, Uint8Array>> {
  const { CFB } = await import('xlsx')
  const { FullPaths, FileIndex } = CFB.read(Buffer.from(zip), { type: 'buffer' })
  const parts = new Map<string, Uint8Array>()
  for (const [n, path] of FullPaths.entries()) {
    const [, ...rest] = path.split('/')
    const name = rest.join('/')
    if (name && !name.endsWith('/') && !name.startsWith('\u0001')) parts.set(name, FileIndex[n]!.content as Uint8Array)
  }
  return parts
}
