/** Apart from the other components: only pages with texts of a study load it. */
export { Sentence, StudyText } from './studyTextNodes'
