"""Questions and answers: questions about one text, answered on another by a model or by people, and compared.

`examiner` asks and answers, `compare` and `verdicts` say how good an answer is, `human_answers` and `export` give the
questions to people and read what they answered, `cache` and `answer_store` keep what was asked, `evaluate` measures an
answerer on questions in SQuAD's format (`squad`), and `weighter` says which questions about a document matter.
"""
