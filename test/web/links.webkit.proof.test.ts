/** A poll and a stage link in WebKit: answered without an account, with a photo. */
import { expect, test } from 'bun:test'
import { withStudy } from './appVisits'
import { hasWebKit, inWebKit } from './webkit'

/** Gives a file to the field, as the picker of a phone does. The picture has one pixel. */
const CHOOSE_PHOTO = `const field = document.querySelector('input[type=file]')
  const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0))
  const files = new DataTransfer()
  files.items.add(new File([bytes], 'rash.png', { type: 'image/png' }))
  field.files = files.files
  field.dispatchEvent(new Event('change', { bubbles: true }))`
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Chooses the answer 4 of a rating. */
const RATE = `document.querySelectorAll('input[type=radio]')[3].click()`

test.skipIf(!hasWebKit)(
  'in WebKit, a poll is answered, and a form with a photo by its link; nothing stays on the device',
  () =>
    withStudy(async ({ base, call, trial, code, mood, bert }) => {
      // WebKit has no clock that could be set: the server goes a little ahead of it, so that nothing lies in the future.
      await call('PUT', '/test/clock', { now: new Date(Date.now() + 60_000).toISOString() })
      const question = { id: 'q', dataType: mood, title: 'How do you breathe?', isRequired: true }
      const poll = await call('POST', `/trials/${trial}/stages`, {
        ...{ name: 'Breath', isPoll: true, components: [question] },
      })
      const photo = await call('POST', `/trials/${trial}/data-types`, { name: 'Rash', code: 'rash', format: 'image' })
      const stage = await call('POST', `/trials/${trial}/stages`, {
        name: 'Diary',
        components: [question, { id: 'p', dataType: photo._id, title: 'A photo of the rash', isRequired: true }],
      })
      const { url } = await call('POST', `/trials/${trial}/participants/${bert}/stages/${stage._id}/tokens`, {})
      await inWebKit(async ({ open, see, click, run, until, violations }) => {
        const answered = async () => {
          await click('button[type=submit]')
          await see('Thank you. Your answers have arrived.')
          expect(await run<number>('return localStorage.length')).toBe(0)
        }
        await open(`${base}/poll/${code}/${poll._id}`, 'input[type=radio]')
        expect(await violations()).toEqual([])
        await run(RATE)
        await answered()
        await open(base + new URL(url).pathname, 'input[type=file]')
        await run(RATE)
        await run(CHOOSE_PHOTO, PIXEL)
        await until('the photo', `document.querySelector('img.preview')`)
        expect(await violations()).toEqual([])
        await answered()
      })
      expect((await call('GET', `/trials/${trial}/stages/${poll._id}/pollAnswers`)).total).toBe(1)
      const { responses } = await call('GET', `/trials/${trial}/participants/${bert}/responses`)
      const { response } = responses.find((each: { stage: string }) => each.stage === stage._id)
      const { pathname, search } = new URL(response[photo._id].url)
      const stored = await (await fetch(base + pathname + search)).arrayBuffer()
      expect(Buffer.from(stored).toString('base64')).toBe(PIXEL)
    }),
  300_000,
)
