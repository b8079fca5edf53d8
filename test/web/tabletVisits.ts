/** A study with a shared tablet at a site, and participants with a PIN. */
import { type StudyVisit, withStudy } from './appVisits'

export const PIN = '2846'

type TabletVisit = StudyVisit & {
  /** The address of the link that makes a browser the tablet. */
  path: string
}

export const withTablet = <T>(act: (where: TabletVisit) => Promise<T>): Promise<T> =>
  withStudy(async (where) => {
    const { call, trial, anna, bert, base } = where
    const site: string = (await call('POST', `/trials/${trial}/sites`, { name: 'Ward of the North', id: 'N1' }))._id
    for (const participant of [anna, bert]) {
      await call('PUT', `/sites/${site}/memberships/${participant}`)
      await call('PUT', `/trials/${trial}/participants/${participant}/pin`, { pin: PIN })
    }
    const tablets = `/trials/${trial}/sites/${site}/shared-devices`
    const device = await call('POST', tablets, { name: 'By the window', idleMinutes: 15 })
    return act({ ...where, path: `${base}/app/tablet/${device.url.split('/').at(-1)}` })
  })
