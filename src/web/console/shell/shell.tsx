/** The frame of the console: who is signed in, which study, which area. */
import { useEffect, useState } from 'preact/hooks'
import { isOffline, readSession, session } from '#web/console/data/session'
import { loadStudies, studies, studyAt } from '#web/console/data/studies'
import { StudyProvider, useStudyOf } from '#web/console/data/study'
import { useShellTranslator } from '#web/console/lang/texts'
import { Band, Failure } from '#web/console/parts/parts'
import type { FailedAnswer } from '#web/kit/api/send'
import { ButtonLink, Skeleton, Toasts } from '#web/kit/ui/components'
import type { AreaProps } from './areaProps'
import { type Area, areas } from './areas'
import { AreaView } from './areaView'
import { matchPath } from './matchPath'
import { Rail } from './rail'
import { path } from './router'
import { SignInAgain, SignInPage } from './signIn'
import { TopBar } from './topBar'

/** The area of an address, with what the address names. */
function areaAt(address: string): ({ area: Area } & AreaProps) | undefined {
  for (const area of areas) {
    const params = matchPath(area.path, address)
    if (params) return { area, params }
  }
  return undefined
}

export function Shell() {
  const [failure, setFailure] = useState<FailedAnswer>()
  const load = async () => {
    setFailure(undefined)
    const answer = await readSession()
    if (!answer.isDone && answer.status !== 401) setFailure(answer)
  }
  useEffect(() => void load(), [])
  if (session.value) return <Frame />
  if (session.value === null) return <SignInPage />
  return <main class="front">{failure ? <Failure failure={failure} onAgain={load} /> : <Skeleton lines={4} />}</main>
}

function Frame() {
  const { t } = useShellTranslator()
  const found = areaAt(path.value)
  const segment = matchPath('/console/:study/:a?/:b?/:c?/:d?', path.value)?.study
  useEffect(() => void loadStudies(), [])
  const { list, failure } = studies.value
  const summary = segment !== undefined && list ? studyAt(list, segment) : undefined
  const { study, failure: studyFailure, reload } = useStudyOf(summary)
  let content = <Skeleton lines={6} />
  if (segment === undefined) content = found ? <AreaView key={found.area.path} {...found} /> : <Missing />
  else if (failure && !list) content = <Failure failure={failure} onAgain={loadStudies} />
  else if (studyFailure && !study) content = <Failure failure={studyFailure} onAgain={reload} />
  else if (list && !summary) content = <Missing isStudy />
  else if (study) {
    content = (
      <StudyProvider value={study}>
        {found ? <AreaView key={`${found.area.path} ${study._id}`} {...found} /> : <Missing />}
      </StudyProvider>
    )
  }
  return (
    <div class={segment === undefined ? 'frame' : 'frame with-rail'}>
      <a class="skip" href="#page">
        {t('site.skip')}
      </a>
      <TopBar study={summary} />
      {study ? <Rail study={study} /> : segment !== undefined && <nav class="rail" aria-label={t('console.study')} />}
      <main id="page" tabIndex={-1}>
        {isOffline.value && <Band kind="warning">{t('console.offline')}</Band>}
        {content}
      </main>
      <SignInAgain />
      <Toasts />
    </div>
  )
}

/** In place of a page that does not exist. */
function Missing({ isStudy = false }: { isStudy?: boolean }) {
  const { t } = useShellTranslator()
  return (
    <section class="empty">
      <h1 class="empty-title">{t(isStudy ? 'console.missingStudy' : 'console.missing')}</h1>
      <p class="note">{t(isStudy ? 'console.missingStudyNote' : 'console.missingNote')}</p>
      <ButtonLink href="/console">{t('console.toStudies')}</ButtonLink>
    </section>
  )
}
