import { afterEach, describe, expect, test } from 'bun:test'
import { read, utils, write } from 'xlsx'
import { checks } from '#cli/checks'
import type { Send } from '#cli/walkthrough/client'
import { askedAboutAge, messagesTo, tasks } from '#cli/walkthrough/expected'
import type { Mail } from '#cli/walkthrough/messages'
import { planStudy } from '#cli/walkthrough/plan'
import { nextMidnight, runStudy } from '#cli/walkthrough/study'
import { systemClock } from '#kernel/time'
import { listen } from '#server/listen'
import { openService } from '#server/service'
import { testClock } from '#server/testing/clock'
import { newestMessages } from '#server/testing/store'
import { makeTestOwner } from '#server/testing/world'
import { hashCheaply } from './passwords'
import { freshFolder } from './server/process/folder'

hashCheaply()

const SIZE = { participants: 6, weeks: 2, seed: 5 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type StudyOptions = { send?: Send; size?: typeof SIZE; mails?: (all: Mail[]) => Mail[] }

/** A service on a free port, whose clock the study moves. `send` sends its requests; `mails` is its outbox. */
async function study({ send, size = SIZE, mails = (all) => all }: StudyOptions = {}) {
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
  service.services.publicUrl = url
  const owner = await makeTestOwner(service.services)
  const moveTo = (at: number) => {
    clock.set(at)
    return service.services.tick()
  }
  const lines: string[] = []
  const outbox = async () => mails(newestMessages(service.services.db, 10_000))
  const environment = { url, ...owner, start: nextMidnight(clock.now()), moveTo, outbox, ...(send ? { send } : {}) }
  return { outcome: runStudy(environment, size, (line) => lines.push(line)), lines, faults, services: service.services }
}

/** Sends requests, and changes certain responses. */
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

/** Changes a byte near the end of a file that contains a word; other files stay as they are. */
const altered = (word: string) => async (answer: Response) => {
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.includes(word)) bytes[bytes.length - 1]! ^= 1
  return bytes
}

/** The reason why a study failed. `rejects` of Bun would block the server, which is in this process. */
const reasonOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'it was passed',
    (fault) => String(fault.message),
  )

describe('a small study', () => {
  test('has the expected results, from the first visit to csv and xlsx', async () => {
    const size = { ...SIZE, participants: 60 } // enough for the amendment to need a job
    const { outcome, lines, faults, services } = await study({ size })
    const { counts } = await outcome
    const plan = planStudy(size.participants, size.weeks, size.seed)
    const { people, acts, corrections } = plan
    const count = (kind: string) => acts.filter((act) => act.kind === kind).length
    expect(counts).toMatchObject({
      participants: people.length,
      responses: people.length + 2 * (count('answer') + count('telephone')) + count('adverse'),
      byParticipants: 2 * count('answer'),
      byStaff: people.length + 2 * count('telephone') + count('adverse') + corrections.length,
      corrections: corrections.length,
      messages: people.flatMap((person) => messagesTo(plan, person, 'Study')).length,
      tasks: tasks(plan, 'Study').length,
      queries: count('adverse'),
      signatures: people.length - count('archive'),
    })
    expect(askedAboutAge(plan).length).toBeGreaterThan(0)
    for (const each of [counts.messages, counts.tasks, counts.queries, corrections.length])
      expect(each).toBeGreaterThan(0)
    expect(lines.join('\n')).toContain('by a job for 60 participants')
    expect(counts.comparisons).toBeGreaterThan(counts.responses!)
    expect(lines.at(-1)).toContain('the service says what it was told')
    expect(faults).toEqual([])
    for (const check of checks) expect(check.run(services.db.$client)).not.toBe('')
  }, 180_000)

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
    [
      'a message was sent twice',
      /logs\/communication/,
      replacing(/"messages":\[(\{[^}]*\})/, '"messages":[$1,$1'),
      /the messages to/,
    ],
    [
      'a message was sent to another participant',
      /logs\/communication/,
      replacing(/"recipient":"\+447/, '"recipient":"+448'),
      /the messages to/,
    ],
    ['a task is about another', /\/tasks$/, replacing(/of participant /, 'of '), /the tasks/],
    ['a task is not done', /\/tasks$/, replacing(/"status":"completed"/, '"status":"pending"'), /the tasks once/],
    [
      'no query about an age was raised',
      /\/queries\?/,
      replacing(/"rule":"instruction"/g, '"rule":"unit"'),
      /whose age/,
    ],
    ['a query is shown as open', /\/queries\?/, replacing(/"status":"closed"/, '"status":"open"'), /the queries/],
    [
      'a casebook is shown as complete',
      /casebooks$/,
      replacing(/"isComplete":false/, '"isComplete":true'),
      /the casebooks/,
    ],
    ['the locked dataset is another', /\/storage\//, altered('MANIFEST'), /the SHA-256 of the locked dataset/],
    [
      'a stage changed that was not amended',
      /against=/,
      replacing(/\]\.recurringDuration/, '].recurringFrequency'),
      /what the amendment changed/,
    ],
    ['the log has lost an entry', /logs\?type=submitResponse$/, replacing(/"total":\d+/, '"total":1'), /in the log/],
  ]
  test.each(lies)(
    'fails if %s',
    async (_, path, change, sentence) => {
      const { outcome } = await study({ send: falsifying(path, change) })
      expect(await reasonOf(outcome)).toMatch(sentence)
    },
    180_000,
  )
})

test('a small study fails if a nurse got no e-mail about a query', async () => {
  const { outcome } = await study({
    mails: (all) => all.filter(({ subject }) => !subject?.endsWith('a query for you')),
  })
  expect(await reasonOf(outcome)).toContain('the e-mails to staff')
}, 180_000)
