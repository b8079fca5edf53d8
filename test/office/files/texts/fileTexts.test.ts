/** The texts of documents are read in the background: each once, whatever happens meanwhile. */
import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { refuse } from '#kernel/problem'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { afterKill } from '../../../harness'
import { firstOf } from '../../../present'
import { until } from '../../../until'
import { type Content, own, pdfOf, wordOf, workbookOf } from '../previews/documents'
import { type Master, searching, workDone } from '../search/search.study'

type Task = { kind: string; input: { files: { storedName: string }[] } }

/** Counts what is read, or does something else in its place. Returns the stored names of each task. */
function reading({ service }: Master, instead?: (tasks: string[][]) => Promise<Record<string, unknown>> | undefined) {
  const { pool } = service.services
  const tasks: string[][] = []
  Object.assign(service.services, {
    pool: {
      ...pool,
      perform(task: Task, hearing: object) {
        if (task.kind !== 'readFileTexts') return pool.perform(task, hearing)
        tasks.push(task.input.files.map(({ storedName }) => storedName))
        return instead?.(tasks) ?? pool.perform(task, hearing)
      },
    },
  })
  return tasks
}

const latest = async (m: Master, file: string) => {
  const { textState, textProblem, isTextCut } = (await m.owner.do('readFile', file)).latestVersion!
  return [textState, textProblem, isTextCut] as const
}

describe('what is read', () => {
  test('PDF, Word documents, workbooks, tables, HTML and texts; other types have no text', async () => {
    const m = await searching()
    const cases: [name: string, content: Content, word: string | null][] = [
      ['a.pdf', await pdfOf(3), 'visit 3'],
      ['b.docx', await wordOf('The wordy part'), 'wordy delegation'],
      ['c.xlsx', workbookOf([['dose', 12.5]], [['second sheet']]), 'second dose "12.5"'],
      ['d.csv', 'name;site\nanna;north', 'anna north'],
      ['e.txt', own(Buffer.from('\ufeffutf sixteen', 'utf16le')), 'sixteen'],
      ['f.TXT', own(Buffer.from('Größe in Latin', 'latin1')), 'grosse OR große'.slice(-5)],
      ['g.html', '<title>Heading</title><script>hidden()</script><p>shown &amp; told', 'heading told'],
      ['h.json', '{"jsonic": 1}', 'jsonic'],
      ['i.png', own(Buffer.from('89504e470d0a1a0a', 'hex')), null],
      ['j.zip', 'PK nothing', null],
      ['k.txt', ' \n\t ', null],
    ]
    const ids = new Map<string, string>()
    for (const [name, content] of cases) ids.set(name, await m.filed(name, content))
    expect(await latest(m, ids.get('a.pdf')!)).toEqual(['waiting', null, false])
    await m.read()
    for (const [name, , word] of cases) {
      expect([name, await latest(m, ids.get(name)!)]).toEqual([name, [word === null ? 'none' : 'read', null, false]])
      const { files } = await m.owner.get<'listFiles'>(`${m.all}?search=${encodeURIComponent(word ?? `"${name}"`)}`)
      expect([name, files.map(({ _id }) => _id)]).toEqual([name, [ids.get(name)!]])
    }
    for (const hidden of ['hidden', 'evil', 'script'])
      expect([hidden, (await m.owner.get<'listFiles'>(`${m.all}?search=${hidden}`)).files]).toEqual([hidden, []])
  })

  test('a document that cannot be read says why, and its version is found by its name', async () => {
    const m = await searching()
    const cases: [name: string, content: Content, problem: RegExp][] = [
      ['bad.pdf', '%PDF-1.7 nothing', /^The document cannot be read: it is damaged, protected or not a pdf file\.$/],
      ['bad.docx', 'nothing', /^The document cannot be read: it is not a Word document\.$/],
      ['bad.xlsx', 'nothing', /^The document cannot be read: it is not a workbook\.$/],
      ['zero.txt', 'a\0b', /^The document cannot be read: it is not a text\.$/],
    ]
    for (const [name, content, problem] of cases) {
      const file = await m.filed(name, content)
      await m.read()
      expect([name, await latest(m, file)]).toEqual([name, ['failed', expect.stringMatching(problem), false]])
      expect([name, (await m.owner.get<'listFiles'>(`${m.all}?search="${name}"`)).files.length]).toEqual([name, 1])
    }
  })

  test('a long text is cut, and says so', async () => {
    const m = await searching()
    const file = await m.filed('long.txt', `early ${'filler text '.repeat(60_000)}late`)
    const lines = await m.filed('lines.txt', `${'one line of it\n'.repeat(160_000)}late`)
    await m.read()
    expect([await latest(m, file), await latest(m, lines)]).toEqual([
      ['read', null, true],
      ['read', null, true],
    ])
    expect([await m.found('early'), await m.found('late')]).toEqual([['Protocol'], []])
    const { n } = m.db.$client.query<{ n: number }, []>('SELECT max(length(text)) AS n FROM masterFileTexts').get()!
    expect(n).toBe(500_000)
  })
})

describe('each document is read once', () => {
  test('by all versions with the same bytes, also of copies, and not again after a restart or a kill', async () => {
    const m = await searching()
    const tasks = reading(m)
    const file = await m.filed('a.txt', 'the same words')
    await m.filed('b.txt', 'the same words')
    await m.filed('c.txt', 'other words')
    await m.owner.do('copyFile', file, { sites: [m.north, m.south, null] })
    await m.read()
    expect(tasks.map((names) => names.length)).toEqual([2])
    expect(await m.found('same')).toHaveLength(5)
    await m.owner.do('copyFile', file, { sites: [m.north] })
    await m.read()
    expect([tasks.length, (await m.found('same')).length]).toEqual([1, 6])
    const { n } = m.db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM masterFileTexts').get()!
    expect(n).toBe(2)
    const after = afterKill(m)
    const again = reading({ ...m, service: after })
    await workDone({ service: after, db: after.services.db, now: m.now })
    expect(again).toEqual([])
  })

  test('a kill while documents are read leaves them to the next start, which reads them', async () => {
    const m = await searching()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const tasks = reading(m, async () => {
      await held
      throw new Error('killed')
    })
    await m.filed('a.txt', 'the words')
    await m.service.services.tick()
    expect(tasks).toHaveLength(1)
    await m.filed('b.txt', 'more words')
    const after = afterKill(m)
    const again = reading({ ...m, service: after })
    await workDone({ service: after, db: after.services.db, now: m.now })
    expect(again.flat()).toHaveLength(2)
    const { n } = after.services.db.$client
      .query<{ n: number }, []>(`SELECT count(*) AS n FROM masterFileVersionTexts WHERE state = 'read'`)
      .get()!
    expect(n).toBe(2)
    release()
    await until(() => tasks.length === 2)
    await until(() => m.faults.length === 2)
    expect(m.takeFaults()).toHaveLength(2)
  })

  test('a version that is deleted while it is read leaves no text', async () => {
    const m = await searching()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { pool } = m.service.services
    const file = await m.filed('a.txt', 'the words')
    reading(m, () => held.then(() => pool.perform({ kind: 'none', input: {} }).catch(() => ({}))))
    await m.service.services.tick()
    await m.owner.do('deleteFile', file)
    release()
    await m.read()
    const { n } = m.db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM masterFileTexts').get()!
    expect([n, await m.found('words')]).toEqual([0, []])
  })
})

describe('a failure', () => {
  test('of the machine is tried again later, ever more seldom, and in the end given up; bytes that come back are read', async () => {
    const m = await searching()
    const tasks = reading(m)
    const [lost, back] = [await m.filed('a.txt', 'lost words'), await m.filed('b.txt', 'words that come back')]
    const stored = (file: string) => uploadPath(m.service.services.storage.files, firstOf(m.storedNames(file)))
    const bytes = await Bun.file(stored(back)).text()
    for (const file of [lost, back]) rmSync(stored(file))
    await m.read()
    expect([await latest(m, lost), tasks.length]).toEqual([['waiting', null, false], 1])
    m.clock(MINUTE - 1)
    await m.read()
    expect(tasks).toHaveLength(1)
    await Bun.write(stored(back), bytes)
    m.clock(1)
    await m.read()
    expect((await latest(m, back))[0]).toBe('read')
    expect(await m.found('come')).toHaveLength(1)
    for (let n = 0; n < 6; n++) {
      m.clock(HOUR)
      await m.read()
    }
    expect(await latest(m, lost)).toEqual([
      'failed',
      'The server could not read the document. Its log says more.',
      false,
    ])
    const seen = tasks.length
    m.clock(DAY)
    await m.read()
    expect(tasks).toHaveLength(seen)
    expect(tasks.flat().filter((name) => name === firstOf(m.storedNames(lost)))).toHaveLength(6)
    expect(m.takeFaults().length).toBe(7)
  })

  test('of one document takes no other with it: the one that takes too much is read alone, and then refused', async () => {
    const m = await searching()
    const ids: string[] = []
    for (const name of ['a', 'bomb', 'c', 'd']) ids.push(await m.filed(`${name}.txt`, `content of ${name}`))
    const bomb = firstOf(m.storedNames(ids[1]!))
    const { pool } = m.service.services
    const tasks: string[][] = []
    Object.assign(m.service.services, {
      pool: {
        ...pool,
        async perform(task: Task, hearing: object) {
          const { files } = task.input
          tasks.push(files.map(({ storedName }) => storedName))
          const at = files.findIndex(({ storedName }) => storedName === bomb)
          if (at < 0) return pool.perform(task, hearing)
          if (at > 0) await pool.perform({ ...task, input: { files: files.slice(0, at) } }, hearing)
          throw refuse.bad('readingTakesTime', { limit: 20 })
        },
      },
    })
    await m.read()
    expect(tasks.map((names) => names.length)).toEqual([4, 1, 2])
    const states = await Promise.all(ids.map(async (id) => (await latest(m, id))[0]))
    expect(states).toEqual(['read', 'failed', 'read', 'read'])
    expect((await latest(m, ids[1]!))[1]).toMatch(/^Reading takes more than 20 s/)
  })

  test('of the lane, which has no room, counts for no document', async () => {
    const m = await searching()
    let isFull = true
    const tasks = reading(m, () => (isFull ? Promise.reject(refuse.unavailable('tooMuchWaits')) : undefined))
    const file = await m.filed('a.txt', 'the words')
    await m.service.services.tick()
    await Bun.sleep(5)
    isFull = false
    await m.service.services.tick()
    expect(tasks).toHaveLength(1)
    m.clock(MINUTE)
    await m.read()
    expect([tasks.length, (await latest(m, file))[0]]).toEqual([2, 'read'])
  })
})
