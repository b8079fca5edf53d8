import { stateOfAct } from '#web/console/data/access'
import type { Study } from '#web/console/data/study'
import { useShellTranslator } from '#web/console/lang/texts'
import { Icon } from '#web/console/parts/parts'
import { areas } from './areas'
import { path, pathIn } from './router'

/** The areas of the study that the person may ever see. */
export function Rail({ study }: { study: Study }) {
  const { t } = useShellTranslator()
  const shown = areas.flatMap(({ rail }) => (rail && stateOfAct(rail.needs, study.place) !== 'never' ? [rail] : []))
  return (
    <nav class="rail" aria-label={t('console.study')}>
      {shown.map(({ to, icon, title }) => {
        const href = pathIn(study.segment, to)
        const isHere = path.value === href || path.value.startsWith(`${href}/`)
        return (
          <a key={to} href={href} title={t(title)} aria-current={isHere ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{t(title)}</span>
          </a>
        )
      })}
    </nav>
  )
}
