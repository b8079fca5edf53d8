/** Forms with a photo behind a link, and what they leave on a device. */
import type { Page } from 'playwright-core'
import type { StudyVisit } from './appVisits'

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A form with one question for a photo. Returns its link, and how many answers came by it. */
export async function photoForm({ base, call, trial, bert }: StudyVisit) {
  const { _id: dataType } = await call('POST', `/trials/${trial}/data-types`, {
    ...{ name: 'Rash', code: 'rash', format: 'image' },
  })
  const { _id: stage } = await call('POST', `/trials/${trial}/stages`, {
    name: 'Diary',
    components: [{ id: 'a', dataType, title: 'A photo of the rash', isRequired: true }],
  })
  const { url } = await call('POST', `/trials/${trial}/participants/${bert}/stages/${stage}/tokens`, {})
  return {
    url: base + new URL(url).pathname,
    stored: async (): Promise<number> =>
      (await call('GET', `/trials/${trial}/participants/${bert}/responses`)).responses.filter(
        (each: { stage: string }) => each.stage === stage,
      ).length,
  }
}

/** Opens the form and chooses a photo. */
export async function choosePhoto(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await choosePhotoHere(page)
}

/** Chooses a photo in the form that is open. */
export async function choosePhotoHere(page: Page): Promise<void> {
  await page.getByLabel('A photo of the rash').setInputFiles({ name: 'rash.png', mimeType: 'image/png', buffer: PIXEL })
  await page.getByText('rash.png').first().waitFor()
}

/** How many entries and files the pages behind links keep on the device. */
export const keptByLinks = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const entries = Object.keys(localStorage).filter((name) => name !== 'tablet').length
    const names = (await indexedDB.databases()).map(({ name = '' }) => name)
    if (!names.includes('trialbox-links')) return entries
    const opened = indexedDB.open('trialbox-links')
    const db = await new Promise<IDBDatabase>((resolve) => {
      opened.onsuccess = () => resolve(opened.result)
    })
    const count = db.transaction('files').objectStore('files').count()
    const files = await new Promise<number>((resolve) => {
      count.onsuccess = () => resolve(count.result)
    })
    db.close()
    return files + entries
  })
