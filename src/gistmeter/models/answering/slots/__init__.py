"""An answerer without a trained network: the noun phrase that stands where the question has its gap."""
