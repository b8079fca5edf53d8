/** The app of participants. */
import { render } from 'preact'
import { EmptyState, Speaking, Toasts } from '#web/ui/components'
import { deviceLanguage, markLanguage } from './language'
import { followLinks } from './route'
import { AppSpeaking, useSpeaker } from './speaking'
import { speakerOf } from './texts'

function App() {
  const { say } = useSpeaker()
  return (
    <main id="page">
      <EmptyState icon="inbox" title={say('app.notFound')}>
        <a class="button" href="/app/">
          {say('app.toStart')}
        </a>
      </EmptyState>
      <Toasts />
    </main>
  )
}

const language = deviceLanguage()
markLanguage(language)
followLinks()
const place = document.getElementById('app')
const speaker = await speakerOf(language)
if (place) {
  render(
    <Speaking speaker={speaker} provider={AppSpeaking}>
      <App />
    </Speaking>,
    place,
  )
}
