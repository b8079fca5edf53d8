/** The first page asks whether the service runs. */
import { ask } from '#web/kit/api/send'
import { pageLanguage } from '#web/kit/language/pageLanguage'
import { loadTranslator } from './texts'

/** The version is sent only to people who run the server. */
type Health = { version?: string }

const translator = await loadTranslator(pageLanguage())
const answer = await ask<Health>(translator, 'GET', '/health')
const state = document.getElementById('state')
if (state) {
  state.dataset.state = answer.isDone ? 'good' : 'bad'
  const version = answer.isDone ? answer.body.version : undefined
  const runs = version === undefined ? translator.t('landing.runs') : translator.t('landing.runsVersion', { version })
  state.textContent = answer.isDone ? runs : answer.message
}
