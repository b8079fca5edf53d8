import { describe, expect, test } from 'bun:test'
import { extractText } from 'unpdf'
import { personalTables } from '#db/personal'
import { PARTS } from '#exchange/personalData/report'
import { DAY } from '#kernel/time'
import { person, personal } from '../../conduct/personalData/person'
import { present } from '../../present'
import { study } from '../../study'
import { downloaded, ended, manifestIn, partsOf } from '../studyRecord/archive'

type Result = { request: string; fileName: string; counts: Record<string, number>; amiss: unknown[] }
type ReportRequest = { fetch: Parameters<typeof downloaded>[0]['fetch'] } & Pick<
  Awaited<ReturnType<typeof study>>,
  'owner'
>

async function reportOn(s: ReportRequest, at: `/trials/${string}/participants/${string}`) {
  const { jobId } = await s.owner.post<'exportPersonalData'>(`${at}/report`)
  const job = await ended(s.owner, jobId)
  expect(job).toMatchObject({ status: 'done', error: null })
  const result = present(job.result) as Result
  const parts = partsOf(await downloaded(s, result.request))
  const pdf = await extractText(new Uint8Array(parts.get('report.pdf')!), { mergePages: true })
  return { result, parts, json: JSON.parse(`${parts.get('report.json')}`), text: pdf.text.replace(/\s+/g, ' ') }
}

describe('the report on a person', () => {
  test('has everything that any table holds about them, and no secret', async () => {
    const s = await person()
    const { result, parts, json, text } = await reportOn(s, s.at)
    const about = s.tablesAbout(s.anna)
    expect(result).toMatchObject({
      ...{ fileName: 'P-1 personal data 2026-03-02.zip', amiss: [] },
      counts: { responses: 3, submissions: 3, messages: 10, files: 2, auditEntries: json.log.length },
    })
    const shown = [...Object.keys(json.records), ...Object.keys(PARTS).filter((table) => json[PARTS[table]!])]
    expect(shown.toSorted()).toEqual(about.toSorted())
    for (const word of Object.values(personal)) expect(JSON.stringify(json)).toContain(word)
    expect(json.participant).toMatchObject({ id: 'P-1', name: 'Anna Quuxlind B', createdAt: s.now() })
    expect(json).toMatchObject({ sites: ['North'], groups: ['Arm A'] })
    const answers = json.answers.find(({ response }: { response: string }) => response === s.own)
    expect(answers).toMatchObject({ form: 'Visit', isDeleted: false })
    expect(answers.answers).toContainEqual({ question: 'Pulse', dataType: s.ids.pulse, value: 72 })
    expect(answers.submissions).toMatchObject([{ address: personal.address, device: personal.device }])
    expect(json.answers.map(({ isDeleted }: { isDeleted: boolean }) => isDeleted)).toContain(true)

    const link = s.db.$client.query('SELECT body FROM outbox WHERE isSecret = 1').get() as { body: string }
    expect(link.body).toContain('/join?grant=')
    expect(JSON.stringify(json)).not.toContain('/join?grant=')
    expect(JSON.stringify(json)).not.toContain('/app/meeting/')
    const calendar = s.db.$client.query('SELECT hash FROM calendarLinks').get() as { hash: string }
    expect(JSON.stringify(json)).not.toContain(calendar.hash)
    const { hash, secret } = s.db.$client.query('SELECT hash, secret FROM grants').get() as Record<string, string>
    const { passwordHash, salt } = s.db.$client.query('SELECT * FROM participants WHERE _id = ?').get(s.anna) as Record<
      string,
      string
    >
    for (const each of [hash, secret, passwordHash, salt]) expect(JSON.stringify(json)).not.toContain(present(each))

    for (const word of [
      personal.name,
      personal.email,
      'Pulse: 72',
      personal.symptom,
      'Sites: North',
      'What is held about you',
    ])
      expect(text).toContain(word)
    expect([...parts.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(2)
    const manifest = manifestIn(parts)
    expect(manifest.said).toEqual(manifest.true)
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'exportPersonalData' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { format: 'zip' } }])
  })

  test('its page for browsers has every line of the file, and nothing in it is markup', async () => {
    const s = await study()
    const at = `/trials/${s.trial}/participants/${s.anna}` as const
    await s.owner.do('updateParticipant', s.trial, s.anna, {
      name: '<img src=x onerror=alert(1)> & "B"',
      language: 'de',
    })
    await s.owner.do('sendMessage', s.trial, s.anna, { message: 'Hello' })
    await s.owner.do('createEvent', s.trial, s.anna, { title: 'Scan', startsAt: '2026-03-10T09:00:00Z', personnel: [] })
    await s.owner.do('createGrant', s.trial, s.anna, {})
    const { parts, text } = await reportOn(s, at)
    const page = `${parts.get('report.html')}`
    expect(page).not.toContain('<img')
    expect(page).toContain('Vor- und Nachname: &lt;img src=x onerror=alert(1)&gt; &amp; &quot;B&quot;')
    const headings = [...page.matchAll(/<h[23][^>]*>([^<]*)</g)].map(([, heading]) => heading!)
    for (const heading of ['Angaben zur Person', 'Nachrichten', 'Termine und Videotermine', 'Anmeldungen und Links'])
      expect(headings).toContain(heading)
    for (const heading of headings) expect(text).toContain(heading)
    expect(headings.filter((heading) => heading in personalTables)).toEqual([])
  })

  test('every part of it is of a table in the list', () => {
    expect(Object.keys(PARTS).filter((table) => !(table in personalTables))).toEqual([])
  })

  test('is in the language of the participant, and prints what its fonts have', async () => {
    const s = await study()
    const at = `/trials/${s.trial}/participants/${s.anna}` as const
    await s.owner.do('updateParticipant', s.trial, s.anna, { language: 'de', name: 'Jörg Иванов Ω' })
    const german = (await reportOn(s, at)).text
    for (const words of [
      'Diese Daten haben wir über Sie gespeichert',
      'Vor- und Nachname: Jörg Иванов Ω',
      'Angaben zur Person',
      'Teilnehmer-ID: P-1',
    ])
      expect(german).toContain(words)
    await s.owner.do('updateParticipant', s.trial, s.anna, { language: 'es', name: 'ليلى' })
    const { parts, json, text } = await reportOn(s, at)
    expect(json.participant.name).toBe('ليلى')
    expect(text).toContain('Algunos caracteres no se pueden imprimir')
    expect(text).toContain('□□□□')
    // A browser has the fonts that the file lacks.
    const page = `${parts.get('report.html')}`
    expect(page).toContain('<html lang="es">')
    expect(page).toContain('<p dir="auto">Nombre: ليلى</p>')
  })

  test('after an erasure says so, and has the study data', async () => {
    const s = await person()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    const before = await reportOn(s, s.at)
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked us' })
    // Earlier reports are personal too.
    expect((await s.fetch(before.result.request)).status).not.toBe(200)
    const { json, text } = await reportOn(s, s.at)
    expect(JSON.stringify(json)).not.toContain('Quux')
    expect(text).toContain('Personal information was erased on')
    expect(text).toContain('Pulse: 72')
  })

  test('its link works for a day, and its file goes with the participant', async () => {
    const s = await study()
    const at = `/trials/${s.trial}/participants/${s.anna}` as const
    const { result } = await reportOn(s, at)
    s.clock(DAY - 1)
    expect((await s.fetch(result.request)).status).toBe(200)
    s.clock(1)
    expect((await s.fetch(result.request)).status).toBe(403)
    await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'registered twice' })
    expect(s.db.$client.query(`SELECT * FROM files WHERE kind = 'export'`).all()).toEqual([])
  })
})
