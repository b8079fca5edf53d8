/** The first page asks whether the service runs. */
import { ask } from '#web/common/api'
import { pageLanguage } from '#web/common/page'
import { speakerOf } from './texts'

type Health = { version: string }

const speaker = await speakerOf(pageLanguage())
const answer = await ask<Health>(speaker, 'GET', '/health')
const state = document.getElementById('state')
if (state) {
  state.dataset.state = answer.isDone ? 'good' : 'bad'
  state.textContent = answer.isDone ? speaker.say('landing.runs', { version: answer.body.version }) : answer.message
}
