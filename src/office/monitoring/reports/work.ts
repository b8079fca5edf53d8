import { join } from 'node:path'
import { siteById } from '#design/sites/store'
import { writerOf } from '#design/trials/notices'
import { trialById } from '#design/trials/store'
import { type Line, textPages } from '#documents/textPages'
import type { Work } from '#jobs/work'
import { sha256 } from '#kernel/id'
import { found } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { safeFileName } from '#storage/names'
import { replaceFile } from '#writers/file'
import { type ReportContext, timesIn } from './context'
import type { SiteReportResult, SiteReportTask } from './task'

const TITLES = {
  visit: 'siteReport.visit',
  delegations: 'siteReport.delegations',
  trainings: 'siteReport.trainings',
} as const

/** Writes a report as PDF. @throws 404 if the site or the visit was deleted */
export const siteReportWork: Work<SiteReportTask, SiteReportResult> = async (task, { db, setup }) => {
  const trial = found(trialById(db, task.trial), 'trial')
  const site = found(siteById(db, task.site), 'site')
  const writer = writerOf(trial, task.language)
  const times = timesIn(writer, trial, task.at)
  const context: ReportContext = { db, trial, site, writer, ...times }
  const { linesOf } = await import('./lines')
  const title = writer.write(TITLES[task.report], {})
  const about = { trial: trial.name, site: `${site.name} (${site.id})`, date: times.momentText(task.at) }
  const lines: Line[] = [{ as: 'text', text: writer.write('siteReport.intro', about) }, ...linesOf(context, task)]
  const pdf = await textPages(() => lines, {
    title,
    about: `${trial.name} · ${about.site}`,
    unprintable: writer.write('siteReport.unprintable', {}),
  })
  replaceFile(join(setup.exports, task.file), (output) => output.write(pdf))
  const name = safeFileName(`${site.id} ${title} ${instantText(task.at).slice(0, 10)}.pdf`)
  return { name, bytes: pdf.length, sha256: sha256(pdf) }
}
