/**
 * The page behind the link of a meeting in WebKit. This WebKit was built without WebRTC, as some browsers are: the page says what it
 * cannot do and what helps, and lets the person read and write.
 */
import { expect, test } from 'bun:test'
import { meetingStudy } from '../conduct/meetingRooms/rooms.study'
import { until } from '../until'
import { hasWebKit, inWebKit } from './webkit'

test.skipIf(!hasWebKit)(
  'in a browser without WebRTC, the page says so, and somebody comes in and writes; the others see that they only write',
  async () => {
    const s = await meetingStudy()
    const anna = await s.come('anna')
    await inWebKit(async ({ open, see, click, type, run, violations }) => {
      await open(`http://${s.host}/app/meeting/${s.tokens.nurse}`, '.card .main')
      await see('This browser cannot transmit pictures and sound')
      await see('open the link in a current Firefox, Chrome, Edge or Safari')
      expect(await run<number>('return document.querySelectorAll(".card button").length')).toBe(1)
      expect(await violations()).toEqual([])
      await run('window.faults = []; addEventListener("error", ({ message }) => faults.push(message))')
      await click('.card .main')
      await see('P-1 is waiting')
      await click('.room-waiting .main')
      await until(() => anna.room()?.isInside === true)
      await until(() => anna.room()?.people.some(({ canCall }) => !canCall) === true)
      // The chat is open, since nothing else is possible.
      await type('.room-chat input', 'I can write only.')
      await click('.room-chat .main')
      await until(() => anna.of('chat').length > 0)
      anna.say({ type: 'chat', text: 'That is <b>fine</b>.' })
      await see('That is <b>fine</b>.')
      expect(await run<string>('return document.querySelector(".room-main").innerText')).not.toContain('Connecting')
      expect(anna.of('signal')).toEqual([])
      expect(await violations()).toEqual([])
      // A press on a device says why there is none.
      await click('.room-control:nth-of-type(2)')
      await see('Camera and microphone')
      expect(await run<string[]>('return faults')).toEqual([])
    })
    expect(anna.of('chat').map(({ text }) => text)).toEqual(['I can write only.', 'That is <b>fine</b>.'])
  },
  300_000,
)
