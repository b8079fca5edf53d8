/** The app of participants. */
import { render } from 'preact'
import { FormTranslatorProvider } from '#web/form/translator'
import { language, markLanguage } from '#web/kit/language/chosenLanguage'
import { firstTranslator, Localised } from '#web/kit/page/page'
import { markTheme } from '#web/kit/page/theme'
import { isTablet } from '#web/kit/storage/smallStorage'
import { Toasts } from '#web/kit/ui/components'
import { followDrafts, readDrafts } from '#web/participant/device/draftList'
import { followNotices } from '#web/participant/device/notices'
import { readQueue, watchQueue } from '#web/participant/device/queue'
import { readPerson } from '#web/participant/device/readPerson'
import { currentTranslator } from '#web/participant/device/request'
import { followSession, person, removeOrphanedFiles } from '#web/participant/device/session'
import { abortOnPageHide } from '#web/participant/device/transactions'
import { keepApp } from '#web/participant/device/worker'
import { awaitInstallation, Join, lazyPage, Shell, SignIn } from '#web/participant/pages/initialPages'
import { followLinks, route } from './route'
import { AppTranslatorProvider, loadTranslator, useTranslator } from './texts'

/** Shared tablets, and the link that makes one. Other devices do not load it. */
const Tablet = lazyPage(() => import('#web/participant/tablet/entry'))
const JOIN = /^join\/([^/]+)$/

/** What is shown depends on whether somebody is signed in. A link of the study team works for every person who opens it. */
function App() {
  const { language } = useTranslator()
  if (isTablet || route.value.startsWith('tablet/')) return <Tablet />
  const grant = JOIN.exec(route.value)?.[1]
  if (grant !== undefined) return <Join grant={grant} />
  if (person.value) return <Shell key={`${person.value.who} ${language}`} />
  return (
    <>
      <SignIn />
      <Toasts />
    </>
  )
}

/** A function, and no module that waits: WebKit may not go on after one that does. */
async function begin(): Promise<void> {
  markLanguage(language.value)
  markTheme()
  followLinks()
  awaitInstallation()
  abortOnPageHide()
  const place = document.getElementById('app')
  const translator = await firstTranslator(loadTranslator)
  currentTranslator.value = translator
  followSession()
  await readPerson()
  await Promise.all([readDrafts(), readQueue()])
  watchQueue()
  void removeOrphanedFiles().catch(() => undefined)
  followDrafts()
  followNotices()
  void keepApp()
  if (!place) return
  render(
    <Localised
      load={loadTranslator}
      first={translator}
      providers={[FormTranslatorProvider, AppTranslatorProvider]}
      onLoaded={(loaded) => {
        currentTranslator.value = loaded
      }}
      noteOf={({ t }) => t('app.notShownNote')}
    >
      <App />
    </Localised>,
    place,
  )
}

void begin()
