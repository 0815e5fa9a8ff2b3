"""Things to say at a rehearsal: plausible in place, about nothing."""

from __future__ import annotations

QUESTIONS = (
    "Does it occur in nature?",
    "Could you carry it under one arm?",
    "Would most people find one in their home?",
    "Is it alive?",
    "Was it made by people?",
    "Is it usually used outdoors?",
    "Does it have moving parts?",
    "Is it larger than a person?",
    "Would it fit into a pocket?",
    "Is it mostly made of metal?",
    "Is it mostly made of wood?",
    "Could a child lift it?",
    "Does it need electricity?",
    "Would it burn in a fire?",
    "Would it float on water?",
    "Does it make a sound when it is used?",
    "Is it something that one can eat?",
    "Does it come in many colours?",
    "Is it used to get from one place to another?",
    "Do people wear it?",
    "Is it part of a body?",
    "Is it part of a building?",
    "Is it found in water?",
    "Can it fly?",
    "Does it have legs of any sort?",
    "Is it round?",
    "Is it soft to the touch?",
    "Is it sold in most shops?",
    "Did it exist a thousand years ago?",
    "Is it used at work more than at home?",
    "Does it hold other things?",
    "Is it kept in one place?",
    "Could it hurt somebody by accident?",
    "Is it used with the hands?",
    "Does it last for more than ten years?",
    "Does it change with the seasons?",
    "Is it heavier than a loaf?",
    "Is it seen at night?",
    "Is it dangerous?",
    "Would one see it from far away?",
)

NOUNS = (
    "chair",
    "mirror",
    "elephant",
    "penguin",
    "apple",
    "bread",
    "bicycle",
    "rocket",
    "mountain",
    "river",
    "hammer",
    "ladder",
    "tooth",
    "elbow",
    "glove",
    "helmet",
    "castle",
    "bridge",
    "umbrella",
    "camera",
)

REMARKS = (
    "That reminds me of something a neighbour told me.",
    "People seem to talk about this more than they used to.",
    "I have been wondering about that for a while.",
    "It was a long day, so forgive me if I ramble.",
    "My sister holds a strong opinion on this.",
    "You sound as though you know the place well.",
    "There is always more to such a story, is there not?",
    "I read a piece about it last week.",
    "It can hardly have been a surprise to anyone.",
    "I would have thought it was settled long ago.",
    "Somebody must have noticed by now.",
    "Things like that rarely stay quiet for long.",
    "I never quite know what to make of it.",
    "It depends on whom one asks, I suppose.",
)

PROMPTINGS = (
    "How did you come to hear of it?",
    "What would you have done in their place?",
    "Is it true that it was planned from the start?",
    "When did you first notice?",
    "Who else was there?",
    "Would you say it has become better or worse since?",
    "Suppose it were so: would it matter to you?",
    "What do people usually get wrong about it?",
    "Which part of it do you find most interesting?",
    "And what happened after that?",
    "Surely you have a view on it yourself?",
    "How long has it been like this?",
)

DEFLECTIONS = (
    "That is a wide subject, and I would rather look at it from another side.",
    "There is a good deal to say about it in general.",
    "I could tell you about the weather that week instead.",
    "Some of it is known to everybody, and the rest is not for me to tell.",
    "I see why you would ask, and I will leave it at that.",
    "It varies, as such things do.",
    "Let us say that there were several reasons.",
    "I would not want to guess in public.",
    "Parts of that are fair, others I would put in another way.",
    "I find the history of it more rewarding than the gossip.",
    "You are welcome to your own idea of it.",
    "That is a question I hear often.",
)

ADMISSIONS = (
    "Yes, since you put it like that: {secret}",
    "I may as well say it. {secret}",
    "You have it right there. {secret}",
)

REASONS = (
    "The words of the last line were held against the secret as a whole.",
    "What the last line says was compared with the secret, part by part.",
    "The last line was read with what stands before it.",
    "The wording of the last line decides here, not its tone.",
)

REFUSAL = "I am sorry, but I cannot help with that."
ASIDE = "Well, that depends on how you look at it. Let me think it over aloud before I answer."
