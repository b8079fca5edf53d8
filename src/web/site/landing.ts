/** The first page asks whether the service runs. */
import { ask } from '#web/common/api'
import { pageLanguage } from '#web/common/page'
import { speakerOf } from './texts'

/** The version is told to those who run the server. */
type Health = { version?: string }

const speaker = await speakerOf(pageLanguage())
const answer = await ask<Health>(speaker, 'GET', '/health')
const state = document.getElementById('state')
if (state) {
  state.dataset.state = answer.isDone ? 'good' : 'bad'
  const version = answer.isDone ? answer.body.version : undefined
  const runs = version === undefined ? speaker.say('landing.runs') : speaker.say('landing.runsVersion', { version })
  state.textContent = answer.isDone ? runs : answer.message
}
