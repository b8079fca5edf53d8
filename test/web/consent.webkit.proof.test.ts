/** A consent form in WebKit: read, signed by hand, and downloaded. */
import { expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { plain, withConsent } from './consentVisits'
import { hasWebKit, inWebKit } from './webkit'

/** Draws a line across the box, as a finger does. */
const DRAW = `const box = document.querySelector('canvas')
  const { left, top, width, height } = box.getBoundingClientRect()
  box.setPointerCapture = () => {}
  const touch = (type, share) => box.dispatchEvent(new PointerEvent(type, { pointerId: 1, button: 0, isPrimary: true, bubbles: true,
    cancelable: true, pointerType: 'touch', clientX: left + width * share, clientY: top + height * (0.5 + Math.sin(share * 9) / 4) }))
  touch('pointerdown', 0.1)
  for (let share = 0.15; share < 0.9; share += 0.05) touch('pointermove', share)
  touch('pointerup', 0.9)`

test.skipIf(!hasWebKit)(
  'in WebKit, a form is read to its end and signed by hand, and the PDF has its hash',
  () =>
    withConsent(
      { ...plain, readToEnd: true, conditions: [{ id: 'a', title: 'I take part.', requiresInitials: true }] },
      async ({ base, call, trial }) => {
        await inWebKit(async ({ open, see, choose, click, run, until, violations }) => {
          const next = () => click('.step-actions [type=submit]')
          await open(`${base}/app/consent/sleep/main`, '.happens')
          await click('.actions .main')
          await see('Read to the end')
          await next()
          await click('[name=statement-0]')
          await choose('[name=initials-0]', 'AL')
          await next()
          await see('How you can be reached')
          await next()
          await choose('[name=fullName]', 'Ann Lee')
          await click('[name=way][value=drawn]')
          await until('the box', 'document.querySelector("canvas")')
          await run(DRAW)
          await until('the signature', 'document.querySelector("canvas[aria-label=\'Box with your signature\']")')
          expect(await violations()).toEqual([])
          await next()
          await until('the drawing', 'document.querySelector("img.signature")')
          await next()
          await see('Thank you. You have signed.')
          expect(await violations()).toEqual([])
          const address = await run<string>('return document.querySelector("a.button.main").href')
          const hash = await run<string>('return document.querySelector(".fold code").textContent')
          expect(sha256(new Uint8Array(await (await fetch(address)).arrayBuffer()))).toBe(hash)
          const asked = await run<string[]>('return performance.getEntriesByType("resource").map(({ name }) => name)')
          expect(asked.filter((each) => !each.startsWith(base))).toEqual([])
        })
        const { consents } = await call('GET', `/trials/${trial}/consents`)
        expect(consents).toMatchObject([{ fullName: 'Ann Lee', signatureMethod: 'drawn' }])
      },
      new Date(Date.now() + 60_000),
    ),
  300_000,
)
