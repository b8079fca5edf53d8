/** The pages of staff: one script, which loads each area when somebody comes to it. */
import { render } from 'preact'
import { currentTranslator } from '#web/console/data/session'
import { loadTranslator, ShellTranslatorProvider } from '#web/console/lang/texts'
import { Shell } from '#web/console/shell/pages'
import { followAddress } from '#web/console/shell/router'
import { markLanguage } from '#web/kit/language/chosenLanguage'
import { firstTranslator, Localised } from '#web/kit/page/page'
import { markTheme } from '#web/kit/page/theme'

/** A function, and no module that waits: WebKit may not go on after one that does. */
async function begin(): Promise<void> {
  markTheme()
  const place = document.getElementById('app')
  if (!place) return
  const translator = await firstTranslator(loadTranslator)
  currentTranslator.value = translator
  markLanguage(translator.language)
  followAddress()
  render(
    <Localised
      load={loadTranslator}
      first={translator}
      providers={[ShellTranslatorProvider]}
      onLoaded={(loaded) => {
        currentTranslator.value = loaded
      }}
    >
      <Shell />
    </Localised>,
    place,
  )
}

void begin()
