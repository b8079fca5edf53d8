/** Attachments of messages (docs/messages.md, "Threads"). */
import { describe, expect, test } from 'bun:test'
import { firstOf, take } from '../../present'
import { uploadRequestUrl } from '../uploads/uploads.study'
import { messageStudy } from './messages.study'

describe('attachments', () => {
  test('are listed with links for both sides, and named where a channel does not carry them', async () => {
    const s = await messageStudy()
    const [one, two] = [await s.upload(), await s.upload(s.anna, s.nurse)]
    await s.nurse.post<'sendMessage'>(s.thread, {
      message: 'Read this.',
      sendVia: ['email'],
      attachments: [one, two, one],
    })
    await s.nurse.post<'sendMessage'>(s.thread, { message: 'And this.', sendVia: ['email'], attachments: [one] })
    const own = await s.upload(s.anna, s.me, undefined)
    await s.me.do('sendOwnMessage', { attachments: [own] })
    type ShownMessage = Pick<Awaited<ReturnType<typeof listed>>[number], 'message' | 'attachments' | 'fileUrls'>
    const listed = async () => (await s.nurse.get<'listMessages'>(s.thread)).messages
    const lists: ShownMessage[][] = [(await s.me.do('listOwnMessages')).messages.slice(1), await listed()]
    for (const messages of lists) {
      const [both, , mine] = take(3, messages)
      expect(both.attachments.map(({ fileName, name, size }) => [fileName, name, size])).toEqual([
        [one, 'Scan 1.PDF', 6],
        [two, 'Scan 1.PDF', 6],
      ])
      expect(both.fileUrls).toEqual(both.attachments.map(({ url }) => url))
      expect(await s.text(firstOf(both.fileUrls))).toBe('a scan')
      expect([mine.message, await s.text(firstOf(mine.fileUrls))]).toEqual(['', 'a scan'])
    }
    expect(s.mails("channel = 'email' AND participant IS NOT NULL").map(({ body }) => body)).toEqual([
      'Read this.\n\n2 files belong to this message: http://localhost/join',
      'And this.\n\nA file belongs to this message: http://localhost/join',
    ])
  })

  test('are kept although nothing else names them', async () => {
    const s = await messageStudy()
    const file = await s.upload(s.anna, s.me, undefined)
    await s.me.do('sendOwnMessage', { message: 'A scan', attachments: [file] })
    await s.tick(3 * 86_400_000_000)
    const { fileUrls } = firstOf((await s.nurse.get<'listMessages'>(s.thread)).messages)
    expect(await s.text(firstOf(fileUrls))).toBe('a scan')
  })

  test('are refused unless they are finished uploads for this participant', async () => {
    const s = await messageStudy()
    const { fileName: forTrial } = await s.owner.get(uploadRequestUrl('trial', s.trial))
    for (const attachment of [await s.announce(), await s.upload(s.bert), forTrial, 'nonsense']) {
      const body = { message: 'Look', attachments: [attachment] }
      for (const answer of [
        await s.nurse.call('POST', s.thread, body),
        await s.me.call('POST', '/participants/messages', body),
      ]) {
        expect([answer.status, answer.body.message]).toEqual([
          400,
          'An attachment is not a finished upload for this participant.',
        ])
      }
    }
    expect((await s.nurse.get<'listMessages'>(s.thread)).messages).toEqual([])
    const many = Array.from({ length: 21 }, () => 'x')
    expect((await s.nurse.call('POST', s.thread, { message: 'x', attachments: many })).status).toBe(422)
  })
})
