import { afterEach, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, utils, write } from 'xlsx'
import type { Send } from '../src/demo/client'
import { planStudy } from '../src/demo/plan'
import { clockBody, nextMidnight, runStudy } from '../src/demo/study'
import { testClock } from '../src/features/testing/clock'
import { newestMessages } from '../src/features/testing/queries'
import { makeTestOwner } from '../src/features/testing/world'
import { systemClock } from '../src/kernel/time'
import { listen, openService } from '../src/server'
import { bun, freshFolder, root } from './process/folder'

const SIZE = { participants: 12, weeks: 2, seed: 1 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A service of its own on a free port, whose clock the study moves. @param send carries its requests */
async function study(send?: Send) {
  const clock = testClock(systemClock)
  const faults: unknown[] = []
  const service = openService({
    directory: freshFolder(),
    clock,
    publicUrl: '',
    version: '0.0.0+test',
    storageKey: Buffer.alloc(32, 7),
    fault: (reason) => faults.push(reason),
  })
  closing.push(service.close)
  const { port, stop } = listen(service, { host: '127.0.0.1', port: 0 })
  closing.push(stop)
  const url = `http://127.0.0.1:${port}`
  service.house.publicUrl = url
  const owner = await makeTestOwner(service.house)
  const moveTo = (at: number) => {
    clock.set(at)
    return service.house.tick()
  }
  const lines: string[] = []
  const outbox = async () => newestMessages(service.house.db, 10_000)
  const ground = { url, ...owner, start: nextMidnight(clock.now()), moveTo, outbox, ...(send ? { send } : {}) }
  return { outcome: runStudy(ground, SIZE, (line) => lines.push(line)), lines, faults }
}

/** Carries requests, and changes what certain answers say. */
const falsifying =
  (path: RegExp, change: (answer: Response) => Promise<BodyInit>): Send =>
  async (url, init) => {
    const response = await fetch(url, init)
    if (init.method !== 'GET' || !path.test(url)) return response
    return new Response(await change(response), { status: response.status, headers: response.headers })
  }

const replacing = (what: RegExp, by: string) => async (answer: Response) => (await answer.text()).replace(what, by)

/** Another score in the first row of the second sheet. */
async function rescored(answer: Response): Promise<BodyInit> {
  const book = read(await answer.arrayBuffer(), { type: 'array' })
  const sheet = book.Sheets[book.SheetNames[1]!]!
  const [head] = utils.sheet_to_json<string[]>(sheet, { header: 1 })
  const cell = utils.encode_cell({ r: 1, c: head!.indexOf('score') })
  sheet[cell].v += 1
  return write(book, { type: 'buffer', bookType: 'xlsx' })
}

describe('a small study', () => {
  test('is as it was told, from the first visit to csv and xlsx', async () => {
    const { outcome, lines, faults } = await study()
    const { counts } = await outcome
    const { people, acts, corrections } = planStudy(SIZE.participants, SIZE.weeks, SIZE.seed)
    const count = (kind: string) => acts.filter((act) => act.kind === kind).length
    expect(counts).toMatchObject({
      participants: people.length,
      responses: people.length + 2 * (count('answer') + count('telephone')) + count('adverse'),
      byParticipants: 2 * count('answer'),
      byStaff: people.length + 2 * count('telephone') + count('adverse') + corrections.length,
      corrections: corrections.length,
    })
    expect(counts.comparisons).toBeGreaterThan(counts.responses!)
    expect(lines.at(-1)).toContain('the service says what it was told')
    expect(faults).toEqual([])
  }, 60_000)

  const lies: [string, RegExp, (answer: Response) => Promise<BodyInit>, RegExp][] = [
    ['a row is missing from the csv', /type=csv/, replacing(/\\r\\n[^\\]*(\\r\\n)?"\}$/, '"}'), /the rows of the csv/],
    ['a score of the csv is another', /type=csv/, replacing(/,(\d+),(true|false),/, ',99,$2,'), /in the csv: /],
    ['a score of the workbook is another', /\/storage\//, rescored, /in the sheet of phq9: /],
    [
      'nobody is behind schedule',
      /participants\?/,
      replacing(/"stagesBehindSchedule":[1-9]/g, '"stagesBehindSchedule":0'),
      /the progress of/,
    ],
    ['the history keeps no note', /\/history$/, replacing(/"updateNote":"[^"]*",?/, ''), /the history of a correction/],
    ['the log has lost an entry', /logs\?type=submitResponse$/, replacing(/"total":\d+/, '"total":1'), /in the log/],
  ]
  test.each(lies)(
    'is not passed when %s',
    async (_, path, change, sentence) => {
      const { outcome } = await study(falsifying(path, change))
      const reason = await outcome.then(
        () => 'it was passed',
        (fault) => String(fault.message),
      )
      expect(reason).toMatch(sentence)
    },
    60_000,
  )
})

describe('the plan', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(planStudy(40, 8, 7)).toEqual(planStudy(40, 8, 7))
    expect(planStudy(40, 8, 7)).not.toEqual(planStudy(40, 8, 8))
  })

  test.each([6, 12, 200])('of %p participants has every kind of act, none after its end', (size) => {
    const { acts, corrections, days, weeks } = planStudy(size, 2, 1)
    expect([...new Set(acts.map(({ kind }) => kind))].sort()).toEqual(
      ['adverse', 'answer', 'archive', 'telephone', 'tooLate', 'withdraw', 'withdrawn'].sort() as never,
    )
    expect(corrections.length).toBeGreaterThan(0)
    for (const act of acts) expect(act.day).toBeWithin(act.person.enrolsOn, days)
    const answered = acts.flatMap((act) =>
      act.kind === 'answer' || act.kind === 'telephone' ? [`${act.person.participantId} ${act.week}`] : [],
    )
    expect(new Set(answered).size).toBe(answered.length)
    for (const { person, week, value } of corrections) {
      expect(answered).toContain(`${person.participantId} ${week}`)
      expect(value).toBeWithin(0, 4)
      expect(week).toBeLessThan(weeks)
    }
  })
})

describe('trialbox demo', () => {
  const demo = (...words: string[]) =>
    Bun.spawn([bun, 'src/main.ts', 'demo', '--participants', '6', '--port', '0', '--tls', 'off', ...words], {
      cwd: root,
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, TRIALBOX_DATA: '/nonexistent/and/not/heeded' },
    })

  test('leaves the study running, and it survives in the directory it was given', async () => {
    const data = join(freshFolder(), 'demo')
    const running = demo('--data', data)
    closing.push(() => running.kill('SIGKILL'))
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of running.stdout) if ((text += decoder.decode(piece)).includes('Stop with Ctrl+C')) break
    const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? `nothing matches ${pattern} in ${text}`
    const url = found(/listening +(http:\S+)/)
    const trial = found(/trial +([0-9a-f]{24})/)
    const headers = { Authorization: `Bearer ${found(/API key +(tbk_\S+)/)}` }
    const asked = await fetch(`${url}/trials/${trial}`, { headers })
    expect(await asked.json()).toMatchObject({ participantCount: 6, studyAcronym: 'BRIGHTER' })
    const signedIn = await fetch(`${url}/participants/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: found(/-d '(\{.*?\})'/),
    })
    expect(signedIn.status).toBe(200)
    const moved = await fetch(`${url}/test/clock`, { method: 'PUT', body: JSON.stringify(clockBody(0)) })
    expect(moved.status).toBe(404)
    const logged = await fetch(`${url}/trials/${trial}/logs?userType=participant`, { headers })
    const [latest] = (await logged.json()).entries
    expect(latest.type).toBe('signInParticipant')
    expect(Math.abs(Date.parse(latest.createdAt) - Date.now())).toBeLessThan(3_600_000) // the clock is the machine's again
    running.kill('SIGTERM')
    expect(await running.exited).toBe(0)

    const verified = Bun.spawnSync([bun, 'src/main.ts', 'verify', '--data', data], { cwd: root })
    expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ''])
    const second = demo('--data', data)
    expect(await new Response(second.stderr).text()).toContain(`${data} holds data already`)
    expect(await second.exited).toBe(1)
  }, 60_000)

  test('writes into no directory that holds something else, and takes a number of participants', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'photos'))
    for (const [words, sentence] of [
      [['--data', folder], 'is not empty'],
      [['--participants=5'], '--participants'],
    ] as const) {
      const refused = demo(...words)
      expect(await new Response(refused.stderr).text()).toContain(sentence)
      expect(await refused.exited).toBe(1)
    }
  }, 30_000)
})
