import { expect, test } from 'bun:test'
import { convertIcsCalendar } from 'ts-ics'
import { siteStudy } from '../../office/site.study'

test('the calendar of staff has the planned monitoring visits of the sites that they may read', async () => {
  const s = await siteStudy()
  const monitor = s.staff(s.trial, ['trial.read'])
  const plan = { scheduledAt: '2026-03-10T09:00:00Z', duration: 90, notes: 'Hush' }
  const visit = await s.visit('MV-1', { ...plan, assignees: [monitor._id] })
  await s.owner.do('createMonitoringVisit', s.south, { id: 'MV-2', ...plan })
  await s.visit('MV-3', { scheduledAt: '2026-12-10T09:00:00Z' })
  await s.visit('MV-4')
  const read = async (who: typeof monitor) => {
    const { url } = await who.do('createCalendarLink', s.trial)
    const text = await (await s.service.calendar(new Request(url), '192.0.2.1')).text()
    expect(text).not.toContain('Hush')
    const events = convertIcsCalendar(undefined, text).events ?? []
    return events.filter(({ summary }) => summary.includes('monitoring visit'))
  }
  const all = await read(monitor)
  expect(all.map(({ summary }) => summary)).toEqual(['North: monitoring visit MV-1', 'South: monitoring visit MV-2'])
  expect(all[0]).toMatchObject({
    uid: `${visit._id}@trialbox`,
    start: { date: new Date('2026-03-10T09:00:00Z') },
    end: { date: new Date('2026-03-10T10:30:00Z') },
  })
  const nurse = s.atSouth('site.read')
  expect((await read(nurse)).map(({ summary }) => summary)).toEqual(['South: monitoring visit MV-2'])
})
