import { describe, expect, test } from 'bun:test'
import { insert, rowById } from '#db/rows'
import { auditEntries, participantResources } from '#db/tables/index'
import { newId } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { bytes, putBytes, uploadRequestUrl } from '../../conduct/uploads/uploads.study'
import { present } from '../../present'
import { study } from '../../study'

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

async function resourceStudy() {
  const s = await study()
  const all = `/trials/${s.trial}/participantResources` as const
  const upload = async (forType = 'trial', forId = s.trial, type = 'application/pdf', by = s.owner) => {
    const { signedRequestURL, fileName } = await by.get(uploadRequestUrl(forType, forId, { type }))
    expect((await putBytes(s, signedRequestURL, bytes, type)).status).toBe(200)
    return fileName
  }
  return {
    ...s,
    all,
    upload,
    titles: async () => (await s.owner.do('listParticipantResources', s.trial)).resources.map(({ title }) => title),
  }
}

describe('each type', () => {
  test('is stored with its content, and participants see the same', async () => {
    const s = await resourceStudy()
    const { owner, trial } = s
    const file = await s.upload()
    const film = await s.upload('trial', trial, 'video/mp4')
    const made = [
      await owner.do('createParticipantResource', trial, {
        type: 'file',
        title: 'Leaflet',
        storedName: file,
        originalName: 'Leaflet.pdf',
        description: 'Read it',
      }),
      await owner.do('createParticipantResource', trial, { type: 'video', title: 'Film', storedName: film }),
      await owner.do('createParticipantResource', trial, {
        type: 'link',
        title: 'Advice',
        linkUrl: 'https://example.org/advice',
      }),
      await owner.do('createParticipantResource', trial, {
        type: 'link',
        title: 'Here',
        linkUrl: 'http://localhost/manual',
      }),
      await owner.do('createParticipantResource', trial, { type: 'youtube', title: 'Clip', youtubeUrl: VIDEO }),
      await owner.do('createParticipantResource', trial, {
        type: 'text',
        title: 'Diet',
        html: '<p onclick="x()">Eat <b>well</b>.<script>x</script></p>',
      }),
    ]
    const none = {
      originalName: null,
      mimeType: null,
      size: null,
      linkUrl: null,
      youtubeUrl: null,
      html: null,
      url: null,
    }
    const seen = [
      {
        type: 'file',
        title: 'Leaflet',
        description: 'Read it',
        originalName: 'Leaflet.pdf',
        mimeType: 'application/pdf',
        size: bytes.length,
        url: expect.any(String),
      },
      {
        type: 'video',
        title: 'Film',
        originalName: 'Scan 1.PDF',
        mimeType: 'video/mp4',
        size: bytes.length,
        url: expect.any(String),
      },
      { type: 'link', title: 'Advice', linkUrl: 'https://example.org/advice', needsInternet: true },
      { type: 'link', title: 'Here', linkUrl: 'http://localhost/manual' },
      { type: 'youtube', title: 'Clip', youtubeUrl: VIDEO, needsInternet: true },
      { type: 'text', title: 'Diet', html: '<p>Eat <b>well</b>.</p>' },
    ].map((each, index) => ({
      description: null,
      needsInternet: false,
      ...none,
      ...each,
      index,
      _id: made[index]!._id,
    }))
    const shared = { createdAt: '2026-03-02T12:00:00.000000Z', trial }
    expect<unknown>((await owner.do('listParticipantResources', trial)).resources).toEqual(
      seen.map((each, index) => ({ ...each, ...shared, storedName: [file, film][index] ?? null })),
    )
    const app = await s.signIn()
    const { resources } = await app.do('listOwnResources', trial)
    expect<unknown>(resources).toEqual(seen)
    const answer = await s.fetch(present(resources[0]!.url))
    expect([answer.status, await answer.text()]).toEqual([200, bytes])
    s.clock(HOUR)
    expect((await s.fetch(present(resources[0]!.url))).status).toBe(403)
    expect(JSON.stringify(s.db.select().from(auditEntries).all())).not.toContain('signature=')
  })

  test.each([
    [{ type: 'file' }, { storedName: ['Missing data for required field.'] }],
    [{ type: 'text', html: null }, { html: ['Missing data for required field.'] }],
    [{ type: 'text', html: '<script>x</script> ' }, { html: ['Has nothing that can be shown.'] }],
    [{ type: 'text', html: 'x', linkUrl: 'https://x.example' }, { linkUrl: ['Goes with type link only.'] }],
    [{ type: 'link', linkUrl: 'https://x.example', size: 3 }, { size: ['Goes with type file or video only.'] }],
    ...['javascript:alert(1)', 'example.org', 'https://me:secret@x.example/', 'ftp://x.example', 'https://'].map(
      (linkUrl) =>
        [{ type: 'link', linkUrl }, { linkUrl: ['Must be a link such as https://example.org/advice.'] }] as const,
    ),
    ...[
      'https://example.org/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com/watch?v=short',
      'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com/@channel',
    ].map(
      (youtubeUrl) =>
        [{ type: 'youtube', youtubeUrl }, { youtubeUrl: ['Must be the link to a video on YouTube.'] }] as const,
    ),
    [{ type: 'music' }, { type: ['Must be one of: file, link, youtube, video, text.'] }],
  ])('%j is refused', async (fields, json) => {
    const { owner, all, titles } = await resourceStudy()
    const { status, body } = await owner.call('POST', all, { title: 'A', ...fields })
    expect([status, body.validations]).toEqual([422, { json }])
    expect(await titles()).toEqual([])
  })

  test.each([
    'https://youtu.be/dQw4w9WgXcQ?t=3',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  ])('a video at %s is taken', async (youtubeUrl) => {
    const { owner, trial } = await resourceStudy()
    expect(
      (await owner.do('createParticipantResource', trial, { type: 'youtube', title: 'Clip', youtubeUrl })).youtubeUrl,
    ).toBe(youtubeUrl)
  })

  test('a file must be a finished upload for this trial, a video a video', async () => {
    const s = await resourceStudy()
    const post = (type: string, storedName: string) => s.owner.call('POST', s.all, { type, title: 'A', storedName })
    const { fileName } = await s.owner.get(uploadRequestUrl('trial', s.trial))
    for (const name of [fileName, 'nothing', await s.upload('participant', s.anna)])
      expect((await post('file', name)).status).toBe(400)
    expect((await post('video', await s.upload())).body.message).toBe(
      'The file is of the type application/pdf, which is no video.',
    )
    expect(await s.titles()).toEqual([])
  })
})

describe('a change', () => {
  test('moves, renames and gives new content; what was read can be sent back', async () => {
    const s = await resourceStudy()
    const { owner, all, trial } = s
    for (const title of ['A', 'B', 'C'])
      await owner.do('createParticipantResource', trial, { type: 'text', title, html: title })
    const { _id } = await owner.do('createParticipantResource', trial, {
      type: 'text',
      title: 'First',
      html: 'x',
      index: 0,
    })
    expect(await s.titles()).toEqual(['First', 'A', 'B', 'C'])
    const at = `${all}/${_id}` as const
    expect(
      await owner.put<'updateParticipantResource'>(at, { title: 'Third', index: 2, html: '<i>y</i>' }),
    ).toMatchObject({
      index: 2,
      html: '<i>y</i>',
    })
    expect(await s.titles()).toEqual(['A', 'B', 'Third', 'C'])
    const [, , third] = (await owner.do('listParticipantResources', trial)).resources
    expect(await owner.put<'updateParticipantResource'>(at, third)).toEqual(present(third))
    expect((await owner.put<'updateParticipantResource'>(at, { description: 'D' })).description).toBe('D')
    expect((await owner.call('PUT', at, { type: 'link' })).status).toBe(400)
    expect((await owner.call('PUT', at, { html: null })).status).toBe(422)
    expect((await owner.call('PUT', at, { linkUrl: 'https://x.example' })).status).toBe(422)
    await owner.delete<'deleteParticipantResource'>(at)
    expect((await owner.do('listParticipantResources', trial)).resources.map(({ index }) => index)).toEqual([0, 1, 2])
    expect((await owner.call('PUT', at, { title: 'X' })).status).toBe(404)
    const { entries } = await owner.do('readLogs', s.trial)
    expect(entries.map(({ type }) => type).slice(0, 2)).toEqual([
      'deleteParticipantResource',
      'updateParticipantResource',
    ])
    expect(entries[0]).toMatchObject({ event: { before: { title: 'Third', html: '<i>y</i>' } } })
  })

  test('of the file takes the facts of the new upload', async () => {
    const s = await resourceStudy()
    const { _id } = await s.owner.do('createParticipantResource', s.trial, {
      type: 'file',
      title: 'A',
      storedName: await s.upload(),
      originalName: 'A.pdf',
    })
    const storedName = await s.upload('trial', s.trial, 'image/png')
    expect(await s.owner.do('updateParticipantResource', s.trial, _id, { storedName, size: 1 })).toMatchObject({
      ...{ storedName, originalName: 'Scan 1.PDF', mimeType: 'image/png', size: bytes.length },
    })
    expect(await s.owner.do('updateParticipantResource', s.trial, _id, { originalName: 'B.png' })).toMatchObject({
      storedName,
      originalName: 'B.png',
    })
  })
})

describe('without end', () => {
  test('a trial has at most 500 resources', async () => {
    const s = await resourceStudy()
    const text = { type: 'text', title: 'A', html: 'x' }
    const { _id } = await s.owner.do('createParticipantResource', s.trial, text)
    const row = rowById(s.db, participantResources, _id)!
    for (let index = 1; index < 499; index++)
      insert(s.db, participantResources, { ...row, _id: newId(row.createdAt), index })
    expect((await s.owner.do('createParticipantResource', s.trial, text)).index).toBe(499)
    const { status, body } = await s.owner.call('POST', s.all, text)
    expect([status, body.message]).toEqual([400, 'A trial has at most 500 resources. Remove one first.'])
    await s.owner.do('deleteParticipantResource', s.trial, _id)
    expect((await s.owner.call('POST', s.all, text)).status).toBe(200)
  })

  test('HTML that a parser would repeat again and again is refused', async () => {
    const s = await resourceStudy()
    const html = `<p><a href="https://example.org/${'x'.repeat(50_000)}">${'x<p>'.repeat(10_000)}`
    expect((await s.owner.call('POST', s.all, { type: 'text', title: 'A', html })).status).toBe(400)
    expect(await s.titles()).toEqual([])
  })
})

describe('access', () => {
  test('reading needs trial.read anywhere, writing trial.write on the trial; another trial’s is 404', async () => {
    const s = await resourceStudy()
    const { _id } = await s.owner.do('createParticipantResource', s.trial, { type: 'text', title: 'A', html: 'x' })
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    const ofSite = s.staff(s.trial, ['site.write'], site)
    expect((await ofSite.do('listParticipantResources', s.trial)).resources).toHaveLength(1)
    expect((await ofSite.call('POST', s.all, { type: 'text', title: 'B', html: 'x' })).status).toBe(403)
    expect((await ofSite.call('DELETE', `${s.all}/${_id}`)).status).toBe(403)
    const reader = s.staff(s.trial, ['trial.read'])
    expect((await reader.call('PUT', `${s.all}/${_id}`, { title: 'B' })).status).toBe(403)
    const { _id: otherTrial } = await s.owner.do('createTrial', s.team, { name: 'Other' })
    expect(
      (await s.owner.call('PUT', `/trials/${otherTrial}/participantResources/${_id}`, { title: 'B' })).status,
    ).toBe(404)
    const app = await s.signIn()
    expect((await app.call('GET', `/participants/trials/${otherTrial}/resources`)).status).toBe(404)
  })

  test('locks do not stop them: a running study can add what participants need', async () => {
    const s = await resourceStudy()
    s.db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
    expect((await s.owner.call('POST', s.all, { type: 'text', title: 'A', html: 'x' })).status).toBe(200)
  })

  test('a copy of the trial has them, with files of its own', async () => {
    const s = await resourceStudy()
    const storedName = await s.upload()
    await s.owner.do('createParticipantResource', s.trial, { type: 'file', title: 'Leaflet', storedName })
    const copy = await s.owner.do('createTrial', s.team, { name: 'Copy', copyFrom: s.trial })
    const { resources } = await s.owner.do('listParticipantResources', copy._id)
    expect(resources).toMatchObject([{ title: 'Leaflet', size: bytes.length }])
    expect(resources[0]!.storedName).not.toBe(storedName)
    expect(await (await s.fetch(present(resources[0]!.url))).text()).toBe(bytes)
    await s.owner.do('deleteTrial', s.trial)
    expect((await s.fetch(present(resources[0]!.url))).status).toBe(200)
  })
})
