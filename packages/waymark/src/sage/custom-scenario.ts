import { packSchema, type Scenario } from './pack-model.ts';

export interface CustomScenario {
  readonly title: string;
  readonly description?: string | undefined;
  readonly sage_role: string;
  readonly user_role?: string | undefined;
}

/** What can be told about any conversation without knowing its subject. */
const generic = {
  moves: [
    {
      id: 'asked',
      label: 'asked an open question',
      good: true,
      question: true,
      said: ['/\\b(?:what|how|why|which|tell me|could you)\\b/'],
      mood: 1,
      expected: true,
      feedback: 'Now you knew what you were talking about.',
      missed: 'Before you argue, find out what the other side needs; an open question costs nothing.',
      examples: ['What matters most to you here?'],
    },
    {
      id: 'acknowledged',
      label: 'took up what the other side had said',
      good: true,
      said: [
        'i understand',
        'i see',
        'i hear',
        'makes sense',
        'fair point',
        'you are right',
        'appreciate',
        'that must',
        'sounds like',
        'i get',
        "you're right",
      ],
      mood: 1,
      expected: true,
      feedback: 'People listen once they have been heard.',
      missed: 'Say back what you heard before you answer.',
      examples: ['I understand that the timing is difficult for you.'],
    },
    {
      id: 'proposed',
      label: 'made a concrete proposal',
      good: true,
      said: [
        'i propose',
        'i suggest',
        'how about',
        'what if we',
        'could we',
        'let us',
        "let's",
        'i can offer',
        'i would like to',
        'my proposal',
        'next step',
      ],
      mood: 1,
      expected: true,
      feedback: 'There was something on the table to say yes to.',
      missed: 'Put something concrete on the table: who does what by when.',
      examples: ['How about we try it for two weeks?'],
    },
    {
      id: 'hedged',
      label: 'hedged until little was left',
      good: false,
      said: [
        ['maybe', 'perhaps', 'sort of', 'kind of', 'i guess', 'just'],
        ['maybe', 'sort of', 'kind of', 'if you want', 'i guess', 'i do not know', "i don't know"],
      ],
      mood: -1,
      feedback: 'Say it once, plainly, and let it stand.',
      examples: ['Maybe we could sort of look at it, I guess.'],
    },
    {
      id: 'snapped',
      label: 'got sharp',
      good: false,
      said: ['ridiculous', 'stupid', 'nonsense', 'shut up', 'whatever', 'your fault', 'you always', 'you never'],
      mood: -2,
      feedback: 'Name the behaviour and its effect instead of the person.',
      examples: ['You always do this, it is ridiculous.'],
    },
    {
      id: 'too_brief',
      label: 'answered in a word or two',
      good: false,
      maxWords: 3,
      mood: 0,
      feedback: 'Give the other side something to work with: a reason, an example, a question.',
      examples: ['Fine.'],
    },
  ],
  beats: [
    {
      id: 'agreed',
      when: { done: ['asked', 'acknowledged', 'proposed'], minMood: 2 },
      replies: ['All right. You have listened, and “{quote}” is something I can live with. Let us do that.'],
      ends: true,
    },
    {
      id: 'offended',
      when: { moves: ['snapped'] },
      replies: ['I beg your pardon? I do not have to listen to that.', 'If this goes on like that, we stop here.'],
    },
    {
      id: 'pressed',
      when: { moves: ['hedged'] },
      replies: ['I cannot tell what you want. Say it straight.', 'Is that a yes or a no?'],
    },
    {
      id: 'answers',
      when: { moves: ['asked'] },
      replies: [
        'Since you ask: I worry that this costs me more than it brings.',
        'What matters to me is that I can rely on it. I have been let down before.',
        'Time, mostly. And that nobody makes me look foolish.',
      ],
    },
    {
      id: 'considers',
      when: { moves: ['proposed'] },
      replies: ['“{quote}”, hm. And what if it does not work?', 'Perhaps. What would you need from me?'],
    },
    {
      id: 'softens',
      when: { moves: ['acknowledged'] },
      replies: [
        'Thank you for saying that. It does not change my mind yet, though.',
        'Good. Then what do you suggest?',
      ],
    },
    {
      id: 'impatient',
      when: { moves: ['too_brief'] },
      replies: ['That is all?', 'You will have to say more than that.'],
    },
    {
      id: 'pushes',
      replies: [
        'I am not convinced. Why should I?',
        'I hear the words. What do they mean for me?',
        'Let us say I disagree. What then?',
        'And how would that look, exactly?',
      ],
      repeat: true,
    },
  ],
  hints: [
    { when: { missing: ['asked'] }, text: 'You do not know yet what the other side needs. What could you ask?' },
    {
      when: { missing: ['acknowledged'] },
      text: 'Before your next argument, show that you heard the last thing they said.',
    },
    { when: { missing: ['proposed'] }, text: 'Enough talk: what exactly do you propose, and by when?' },
    { text: 'Stay with your proposal and let the silence work.' },
  ],
};

export const notAssessed =
  'I do not know this subject, so I judged only how you talked (questions, listening, proposals), not whether what you said was right.';

export function buildCustomScenario({ title, description, sage_role, user_role }: CustomScenario): Scenario {
  const about = description ?? title;
  return scenarioSchema.parse({
    ...generic,
    id: 'custom',
    title: title.slice(0, 80),
    description: about.slice(0, 600),
    sageRole: sage_role.slice(0, 120),
    userRole: (user_role ?? 'Yourself').slice(0, 120),
    category: 'custom',
    difficulty: 'medium',
    opening: `(${sage_role}) You wanted to talk to me: ${lowerFirst(about.replace(/[.!?]+$/, ''))}. I have a few minutes. Go ahead.`,
  });
}

const scenarioSchema = packSchema.shape.scenarios.unwrap().element;

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
