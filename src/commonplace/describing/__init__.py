"""From a description ("what I owe Sabine") to the memories, or the parts of memories, that it means."""
