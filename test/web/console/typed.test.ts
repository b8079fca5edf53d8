/** Nothing typed is lost or cut in silence: what is too long or cannot be kept is refused in words, and stays in the field. */
import { afterAll, describe, expect, test } from 'bun:test'
import { sharedInFile } from '../../harness'
import { chromium } from '../browser'
import { casebookStudy } from './casebookStudy'

const study = sharedInFile(casebookStudy)
afterAll(async () => void (await (await study()).server.stop()))

describe.skipIf(!chromium)('in a browser', () => {
  test('a reply or an ID that was pasted and is too long is refused in the language of the page, whole', async () => {
    const { as, base, nurse, owner, queries, monitor, trial } = await study()
    const long = 'ä'.repeat(9_990) + ' THE END.'
    await as(
      nurse,
      async (page) => {
        await page.goto(`${base}/console/sr-24/queries?open=${queries[0]!._id}`)
        const reply = page.locator('.inspector textarea')
        await reply.focus()
        await page.keyboard.insertText(long)
        expect(await reply.inputValue()).toBe(long)
        await page.keyboard.press('Control+Enter')
        const said = await page.locator('.inspector').getByRole('alert').textContent()
        console.log('REPLY', said)
        expect(await reply.inputValue()).toBe(long)
        await reply.fill('half \ud83d')
        await page.evaluate(() => { const a = document.querySelector<HTMLTextAreaElement>('.inspector textarea')!; a.value = 'half \ud83d'; a.dispatchEvent(new Event('input', { bubbles: true })) })
        await page.keyboard.press('Control+Enter')
        await page.waitForTimeout(1500)
        console.log('HALF', JSON.stringify(await reply.inputValue().catch(() => 'gone')), await page.locator('.inspector').textContent())
        const { messages } = await monitor.do('readQuery', queries[0]!._id)
        console.log(JSON.stringify(messages.map(({ text }) => text.slice(0, 60))))
      },
      { locale: 'de-DE' },
    )
    await as(
      owner,
      async (page) => {
        await page.goto(`${base}/console/sr-24/participants`)
        await page.locator('.grid [data-row="0"]').waitFor()
        await page.keyboard.press('n')
        const field = page.getByRole('dialog').locator('input').first()
        await field.waitFor()
        for (const id of [`P-${'1'.repeat(120)}`, 'P-\ud83d', 'P-0441']) {
          await page.evaluate((v) => { const a = document.querySelector<HTMLInputElement>('dialog input')!; a.focus(); a.value = ''; a.dispatchEvent(new Event('input', { bubbles: true })); document.execCommand('insertText', false, v) }, id)
          await page.keyboard.press('Enter')
          await page.waitForTimeout(1200)
          console.log('ID', JSON.stringify(id).slice(0, 30), JSON.stringify(await field.inputValue().catch(() => 'gone')).length, await page.getByRole('dialog').textContent().catch(() => 'no dialog'))
          if (!(await page.getByRole('dialog').count())) break
        }
        const { participants } = await owner.do('listParticipants', trial)
        console.log(JSON.stringify(participants.map((p) => p.participantId)))
      },
      { locale: 'de-DE' },
    )
  }, 90_000)
})
