/** A person corrects an answer in the app after the form has got a required question: the app asks no more than the server. */
import { describe, expect, test } from 'bun:test'
import { chromium, violations } from './browser'
import { openForm, send, visit } from './ward'
import { onWard } from './wardStory'

describe.skipIf(!chromium)('a correction in the app', () => {
  test(
    'is not asked for a question that came later; an answer that was given cannot be taken away',
    onWard(async (page, where) => {
      const { call, trial, anna, stored } = where
      const type = async (code: string): Promise<string> =>
        (await call('POST', `/trials/${trial}/data-types`, { name: code, code, format: 'integer' }))._id
      const [pulse, weight] = [await type('beats'), await type('burden')]
      const asked = (dataType: string, title: string) => ({ id: dataType, dataType, title, isRequired: true })
      const components = [asked(pulse, 'Your pulse')]
      const evening: string = (await call('POST', `/trials/${trial}/stages`, { name: 'Evening', components }))._id
      const control = (id: string) => page.locator(`[id="answer-${id}"]`)
      await visit(page, where, evening)
      await control(pulse).fill('70')
      await send(page)
      await page.getByText('Thank you. Your answers have arrived.').waitFor()
      await call('PUT', `/stages/${evening}`, { components: [...components, asked(weight, 'Your weight')] })
      await openForm(page, where, evening)
      await control(weight).waitFor()
      await control(pulse).fill('7')
      await control(pulse).fill('')
      await send(page)
      const summary = page.locator('.summary')
      await summary.waitFor()
      expect(await summary.locator('li').allTextContents()).toEqual(['Your pulse'])
      expect(await violations(page)).toEqual([])
      await control(pulse).fill('71')
      await send(page)
      await page.getByText('Thank you. Your answers have arrived.').waitFor()
      const [answers] = await stored(anna, evening)
      expect([answers?.response[pulse]?.value, answers?.response[weight]]).toEqual([71, undefined])
    }),
    180_000,
  )
})
