/** Nothing typed is lost, cut or altered in silence: what is too long or cannot be kept is refused in words, and stays in the field. */
import { afterAll, describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { sharedInFile } from '../../harness'
import { chromium } from '../browser'
import { casebookStudy } from './casebookStudy'

const study = sharedInFile(casebookStudy)
afterAll(async () => void (await (await study()).server.stop()))

const HALF = '\ud83d'
const LONG = `${'ä'.repeat(9_990)} THE END.`

/** As from the clipboard, which may hold half a character: the driver itself sends whole ones only. */
const paste = (field: Locator, text: string) =>
  field.evaluate((element: HTMLInputElement | HTMLTextAreaElement, value) => {
    element.select()
    document.execCommand('insertText', false, value)
  }, text)

describe.skipIf(!chromium)('in a browser', () => {
  test('a reply that is too long, or holds half a character, is refused in German and stays whole', async () => {
    const { as, base, nurse, queries, monitor } = await study()
    const act = async (page: Parameters<Parameters<typeof as>[1]>[0]) => {
      await page.goto(`${base}/console/sr-24/queries?open=${queries[0]!._id}`)
      const details = page.locator('.inspector')
      const reply = details.locator('textarea')
      for (const [text, said] of [
        [LONG, 'Darf höchstens 5000 Zeichen haben.'],
        [`half ${HALF}`, 'Surrogatpaar'],
      ] as const) {
        await paste(reply, text)
        await page.keyboard.press('Control+Enter')
        await details.getByRole('alert').getByText(said).waitFor()
        expect(await reply.inputValue()).toBe(text)
      }
    }
    await as(nurse, act, { locale: 'de-DE' })
    expect((await monitor.do('readQuery', queries[0]!._id)).messages).toHaveLength(1)
  }, 90_000)

  test('an ID that is too long, holds half a character, or exists is refused in German and stays whole', async () => {
    const { as, base, owner, trial } = await study()
    const before = (await owner.do('listParticipants', trial)).total
    const act = async (page: Parameters<Parameters<typeof as>[1]>[0]) => {
      await page.goto(`${base}/console/sr-24/participants`)
      await page.locator('.grid [data-row="0"]').waitFor()
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog')
      const field = dialog.locator('[name=participantId]')
      for (const [text, said] of [
        [`P-${'1'.repeat(120)}`, 'Darf höchstens 50 Zeichen haben.'],
        [`P-${HALF}`, 'Surrogatpaar'],
        ['P-0441', 'Schon vergeben: Teilnehmer-ID „P-0441“.'],
      ] as const) {
        await paste(field, text)
        await page.keyboard.press('Enter')
        await dialog.getByText(said).waitFor()
        expect(await field.inputValue()).toBe(text)
      }
    }
    await as(owner, act, { locale: 'de-DE' })
    expect((await owner.do('listParticipants', trial)).total).toBe(before)
  }, 90_000)
})
