/** A ward: a server that can go away and come back, with forms that participants fill in on their devices. */
import type { Page } from 'playwright-core'
import { listen } from '#server/listen'
import { START, testServer } from '../testServer'
import { appStudy, PASSWORD } from './appStudy'

export const NOW = START / 1000

/** What a browser says of a server or a connection that is away. */
export const OFFLINE = /ERR_(FAILED|CONNECTION_REFUSED|INTERNET_DISCONNECTED|EMPTY_RESPONSE|CONNECTION_RESET)/

/** A picture of one pixel. */
export const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A server that can go away and come back, and a form with a photograph. */
export async function ward() {
  const { service, owner, call: send, sqlite } = await testServer()
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const study = await appStudy(call, owner.team, { now: NOW, diaries: 2 })
  const { trial, mood } = study
  const photo: string = (
    await call('POST', `/trials/${trial}/data-types`, { name: 'Photo', code: 'photo', format: 'image' })
  )._id
  const make = async (name: string, ids: readonly string[]): Promise<string> => {
    const components = ids.map((dataType) => ({
      id: dataType,
      dataType,
      title: `${name} ${dataType}`,
      isRequired: true,
    }))
    return (await call('POST', `/trials/${trial}/stages`, { name, adHoc: true, components }))._id
  }
  const scans: string[] = []
  for (const n of [1, 2, 3, 4]) {
    const scan = { name: `Scan ${n}`, code: `scan${n}`, format: 'file', mimeTypes: ['image/*'] }
    scans.push((await call('POST', `/trials/${trial}/data-types`, scan))._id)
  }
  const forms = {
    note: await make('A note', [mood, photo]),
    diary: await make('A diary', [mood]),
    scans: await make('Scans', scans),
  }
  let server = listen(service, { host: '127.0.0.1', port: 0 })
  const { port } = server
  return {
    ...{ ...study, call, photo, scans, forms, base: `http://127.0.0.1:${port}` },
    stored: async (participant: string, stage: string): Promise<{ response: Record<string, { value: unknown }> }[]> => {
      const { responses } = await call('GET', `/trials/${trial}/participants/${participant}/responses`)
      return responses.filter((each: { stage: string }) => each.stage === stage)
    },
    /** Of a file as it is on the server's disk. */
    storedHash: (storedName: string): unknown =>
      sqlite.query('SELECT sha256 FROM files WHERE storedName = ?').values(storedName)[0]?.[0],
    /** The ids of the entries of a participant that are stored, in the order in which they were. */
    entries: (participant: string): unknown[] =>
      sqlite
        .query('SELECT entry FROM storedSubmissions WHERE participant = ? AND entry IS NOT NULL ORDER BY _id')
        .values(participant)
        .flat(),
    leave: () => server.stop(),
    come: () => {
      server = listen(service, { host: '127.0.0.1', port })
    },
  }
}

export type Ward = Awaited<ReturnType<typeof ward>>

export const openPage = async (context: { newPage(): Promise<Page> }): Promise<Page> => {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.clock.install({ time: NOW })
  return page
}

export async function signIn(
  page: Page,
  { base, code }: Ward,
  participantId = 'P-1',
  password = PASSWORD,
): Promise<void> {
  await page.goto(`${base}/app/`)
  await page.locator('[name=password]').waitFor()
  const other = page.getByRole('button', { name: 'Somebody else?' })
  if (await other.count()) await other.click()
  await page.locator('[name=trialCode]').fill(code)
  await page.locator('[name=participantId]').fill(participantId)
  await page.locator('[name=password]').fill(password)
  await page.locator('form .main').click()
  await page.locator('.form-card').first().waitFor()
}

/** Opens a form, so that the device has it, and waits until the app is kept. */
export async function visit(page: Page, { base }: Ward, stage: string): Promise<void> {
  await page.goto(`${base}/app/stages/${stage}`)
  await page.locator('form .question input').first().waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller)
}

/** Opens a form of which the device may have a copy only. */
export async function openForm(page: Page, { base }: Ward, stage: string): Promise<void> {
  await page.goto(`${base}/app/stages/${stage}`)
  await page.locator('form .question input').first().waitFor()
}

export const send = (page: Page) => page.locator('form button.main').click()
export const online = (page: Page, is: boolean) => page.context().setOffline(!is)

export const rate = (page: Page, points: number) =>
  page
    .locator('.question input[type=radio]')
    .nth(points - 1)
    .click({ force: true })

type DeviceRecords = Record<'own' | 'copies' | 'drafts' | 'queue' | 'blobs', Record<string, unknown>[]>

/** Everything in the database of the device. */
export const readDeviceRecords = (page: Page): Promise<DeviceRecords> =>
  page.evaluate(
    () =>
      new Promise<DeviceRecords>((resolve) => {
        const opening = indexedDB.open('trialbox')
        opening.onsuccess = () => {
          const db = opening.result
          const names = [...db.objectStoreNames]
          const transaction = db.transaction(names)
          const asked = names.map((name) => [name, transaction.objectStore(name).getAll()] as const)
          transaction.oncomplete = () => {
            db.close()
            resolve(Object.fromEntries(asked.map(([name, { result }]) => [name, result])) as DeviceRecords)
          }
        }
      }),
  )

/** The same as text, with what the browser keeps in small. */
export const keptText = async (page: Page): Promise<string> =>
  JSON.stringify([await readDeviceRecords(page), await page.evaluate(() => ({ ...localStorage }))])

/** How many drafts the device has. */
export const draftsOf = async (page: Page): Promise<number> => (await readDeviceRecords(page)).drafts.length
