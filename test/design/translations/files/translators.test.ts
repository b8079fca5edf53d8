/** What is not translated yet, and files for translators. */
import { describe, expect, test } from 'bun:test'
import { utils, write } from 'xlsx'
import type { Person } from '../../../harness'
import { asked, translated } from './translatedStudy'

describe('for translators', () => {
  const untranslated = async (s: Awaited<ReturnType<typeof translated>>, language = 'de', page = 1) =>
    s.owner.do('listUntranslatedTexts', s.trial, { language, page })

  test('lists what is missing and what is stale, by page', async () => {
    const s = await translated()
    const first = await untranslated(s)
    expect(first.texts.map(({ key }) => key)).not.toContain(`stages/${s.stage}/name`)
    expect(first.texts.map(({ key }) => key)).toContain(`stages/${s.stage}/components/smoker/description`)
    await s.owner.do('updateStage', s.stage, { name: 'Call' })
    const { texts, total } = await untranslated(s)
    expect(total).toBe(first.total + 1)
    expect(texts.find(({ key }) => key === `stages/${s.stage}/name`)).toEqual({
      ...{ key: `stages/${s.stage}/name`, place: 'Stages › Call', field: 'name', source: 'Call' },
      ...{ reason: 'stale', translation: 'Besuch' },
    })
    await s.owner.do('updateStage', s.stage, { name: 'Visit' })
    expect((await untranslated(s)).total).toBe(first.total)
    const past = await untranslated(s, 'de', 1000)
    expect(past).toMatchObject({ texts: [], nextPageAvailable: false })
    for (const language of ['en', 'it'])
      expect((await s.owner.call('GET', `${s.at}/untranslatedTexts?language=${language}` as const)).status).toBe(422)
  })

  /** The rows of an exported csv as cells. */
  const csvOf = async (s: Awaited<ReturnType<typeof translated>>, by: Person = s.owner) => {
    const { url } = await by.do('exportTranslations', s.trial, { language: 'de', format: 'csv' })
    return (await s.fetch(url)).text()
  }
  const send = (s: Awaited<ReturnType<typeof translated>>, content: string, by: Person = s.owner) =>
    by.call('POST', `${s.at}/translations` as const, { language: 'de', content })

  test('a file goes out and comes back without a change, as csv and as a workbook', async () => {
    const s = await translated()
    const before = await s.owner.do('readStage', s.stage)
    const csv = await csvOf(s)
    expect(csv).toContain('translation (de)')
    const { body } = await send(s, csv)
    expect(body).toMatchObject({ changed: 0, stale: 0 })
    const { url, rows } = await s.owner.do('exportTranslations', s.trial, { language: 'de' })
    expect(rows).toBeGreaterThan(50)
    const book = Buffer.from(await (await s.fetch(url)).arrayBuffer()).toString('base64')
    expect((await send(s, book)).body).toEqual(body)
    expect(await s.owner.do('readStage', s.stage)).toEqual(before)
  })

  test('rows are taken all or none, with the line of each problem', async () => {
    const s = await translated()
    const rows = (lines: string[]) => ['key,source,translation (de)', ...lines].join('\n')
    const name = `stages/${s.stage}/name`
    const before = await s.owner.do('readStage', s.stage)
    for (const [lines, says] of [
      [[`${name},Visit,Termin`, 'stages/none/name,Visit,Termin'], /Line 3: There is no text with the key/],
      [[`${name},Visit,Termin`, `${name},Visit,Anruf`], /Line 3: .* in line 2, too/],
      [[`trial/name,x,Studie`, `${name},Visit,${'x'.repeat(101)}`], /Line 3: .*100/],
      [[`trial/name,x,Studie, neu`], /Line 2: It has 4 cells for 3 columns/],
    ] as const) {
      const { status, body } = await send(s, rows([...lines]))
      expect(status).toBe(422)
      expect(JSON.stringify(body)).toMatch(says)
    }
    expect((await send(s, 'key,source,translation (fr)\na,b,c')).status).toBe(422)
    expect((await send(s, 'PK nothing')).status).toBe(422)
    expect(await s.owner.do('readStage', s.stage)).toEqual(before)
    expect((await s.owner.do('readTrial', s.trial)).translations).toEqual({ de: { name: 'Atemstudie' } })
  })

  test('sets texts of every kind, and marks those whose source has changed meanwhile', async () => {
    const s = await translated()
    const diet = { type: 'text', title: 'Diet', html: '<p>Eat well.</p>' } as const
    const { _id } = await s.owner.do('createParticipantResource', s.trial, diet)
    const keys = {
      [`stages/${s.stage}/components/pulse/title`]: ['Pulse', 'Puls'],
      [`stages/${s.stage}/components/pulse/constraint/message`]: ['Too high', 'Viel zu hoch'],
      [`stages/${s.stage}/onSubmitRules/r/actions/a/message`]: ['Old', 'Pause'],
      [`dataTypes/${s.ids.mood}/statements/q1/label`]: ['Calm', 'Ruhig'],
      [`dataTypes/${s.ids.mood}/scale/2/label`]: ['level 2', 'Stufe 2'],
      [`dataTypes/${s.ids.drugs}/columns/dose/label`]: ['Dose', 'Dosis'],
      [`resources/${_id}/html`]: ['<p>Eat well.</p>', '<p onclick="x">Gut essen.</p>'],
      'trial/name': ['Breath study', 'Atmung'],
    }
    const table = [['source', 'key', 'Translation (de)'], ...Object.entries(keys).map(([key, [a, b]]) => [a, key, b])]
    const book = utils.book_new()
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([...table, ['Visit', `stages/${s.stage}/name`, '', 'A note']]),
      'Texts',
    )
    const content = write(book, { type: 'base64', bookType: 'xlsx' }) as string
    const { body } = await send(s, content)
    expect(body).toEqual({ changed: 8, unchanged: 0, stale: 1 })
    expect((await send(s, content)).body).toEqual({ changed: 0, unchanged: 8, stale: 1 })
    const { texts } = await untranslated(s)
    expect(texts.filter(({ reason }) => reason === 'stale').map(({ source }) => source)).toEqual(['Rest'])
    const anna = await s.signIn()
    await anna.do('updateOwnParticipant', { language: 'de' })
    const detail = await anna.do('openStage', s.trial, s.stage)
    expect(detail.name).toBe('Besuch')
    expect(asked(detail, 'pulse')).toMatchObject({ title: 'Puls' })
    expect(asked(detail, 'mood')).toMatchObject({
      type: {
        statements: [{ label: 'Ruhig' }, { label: 'Cheerful' }],
        scale: [{}, {}, { value: 2, label: 'Stufe 2' }, {}],
      },
    })
    expect((await anna.do('readOwnTrial')).name).toBe('Atmung')
    expect((await anna.do('listOwnResources', s.trial)).resources[0]?.html).toBe('<p>Gut essen.</p>')
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'importTranslations' })
    expect(JSON.stringify(entries[1])).toContain('Dosis')
  })

  test('a csv whose letters could only be guessed is refused', async () => {
    const s = await translated()
    const text = `key,source,translation (de)\nstages/${s.stage}/name,Visit,Größe\n`
    const sent = async (bytes: Buffer) => {
      const query = `name=de.csv&size=${bytes.length}&type=text/csv&forType=trial&forId=${s.trial}`
      const { signedRequestURL, fileName } = await s.owner.get<'requestFileUpload'>(`/uploads/file/request?${query}`)
      await s.fetch(signedRequestURL, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'Content-Type': 'text/csv' },
      })
      return s.owner.call('POST', `${s.at}/translations` as const, { language: 'de', fileName })
    }
    for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')]) {
      const { status, body } = await sent(bytes)
      expect([status, body]).toEqual([
        400,
        { message: expect.stringContaining('CSV UTF-8'), details: { code: 'tableNotUtf8' } },
      ])
    }
    expect((await sent(Buffer.from(`\ufeff${text}`, 'utf16le'))).body).toMatchObject({ changed: 1 })
    expect((await s.owner.do('readStage', s.stage)).translations).toMatchObject({ de: { name: 'Größe' } })
  })

  test('needs trial.write to import, and trial.read to read', async () => {
    const s = await translated()
    const reader = s.staff(s.trial, ['trial.read'])
    const csv = await csvOf(s, reader)
    expect((await send(s, csv, reader)).status).toBe(403)
    const stranger = s.staff(s.trial, ['trial.readParticipants'])
    expect((await stranger.call('GET', `${s.at}/untranslatedTexts?language=de` as const)).status).toBe(403)
  })
})
